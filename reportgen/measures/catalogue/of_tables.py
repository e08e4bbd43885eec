"""Coefficients of a table of two annotators that relate agreement to its margins in other ways."""

from reportgen.measures import coefficients
from reportgen.measures.measure import Measure, variant, work

MEASURES: tuple[Measure, ...] = (
    Measure(
        id="bangdiwala_b",
        name="Bangdiwala's B",
        symbol="B",
        formula="B = Σ n_kk² / Σ n_k. n_.k",
        latex=r"B = \frac{\sum_{k} n_{kk}^2}{\sum_{k} n_{k \cdot} n_{\cdot k}}",
        chance="none: the area of agreement on a chart of the table, beside the largest its margins allow",
        assumptions="The two annotators' margins are given.",
        answers="How much of the largest area of agreement do the annotators reach?",
        sentence="Bangdiwala's B is the area of agreement beside the largest that the margins allow.",
        use="Take it with the agreement chart, in fields that publish it.",
        avoid="Not as a chance-corrected figure: it is not 0 by chance, and a common category governs it.",
        elsewhere=(variant("irrCAC 1.4", "the same figure and standard error"),),
        works=(
            work(
                "Bangdiwala (1985), 45th Session of the International Statistical Institute, Amsterdam, "
                "volume 1, 307-308"
            ),
        ),
        for_pair=coefficients.bangdiwala_b,
    ),
    Measure(
        id="maxwell_re",
        name="Maxwell's RE",
        symbol="RE",
        formula="RE = 2 A_o - 1",
        latex=r"\mathrm{RE} = 2 A_o - 1",
        chance="uniform over two categories",
        assumptions="Two categories.",
        answers="How much commoner is agreement than disagreement?",
        sentence="Maxwell's RE is 2 A_o - 1 over two categories.",
        use="Take it to compare with works that report it; it is PABAK, and Bennett's S of two categories.",
        avoid="Not beside PABAK as a second opinion: the two are one figure.",
        elsewhere=(
            variant("R irr 0.84.1, maxwell", "the same figure; it takes two annotators and two categories"),
        ),
        works=(work("Maxwell (1977), British Journal of Psychiatry 130, 79-83", "10.1192/bjp.130.1.79"),),
        for_pair=coefficients.maxwell_re,
    ),
)
