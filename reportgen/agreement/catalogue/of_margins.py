"""Tests that two annotators use the categories alike."""

from reportgen.agreement.measure import Measure, Work

MEASURES: tuple[Measure, ...] = (
    Measure(
        id="bowker",
        name="Bowker's test of symmetry",
        symbol="χ²",
        formula="χ² = Σ (n_ij - n_ji)² / (n_ij + n_ji)",
        chance="every confusion is as likely in one direction as in the other",
        assumptions="Documents are independent; units are, where no document is known.",
        answers="Do the annotators confuse categories in one direction?",
        sentence="Bowker's test asks whether confusions are symmetric.",
        works=(
            Work(
                "Bowker (1948), Journal of the American Statistical Association 43, 572-574",
                "10.1080/01621459.1948.10483284",
            ),
        ),
        kind="test",
    ),
    Measure(
        id="stuart_maxwell",
        name="Stuart-Maxwell test",
        symbol="χ²",
        formula="χ² = D' V⁻ D, D_k = n_k. - n_.k",
        chance="both annotators use every category equally often",
        assumptions="Documents are independent; units are, where no document is known.",
        answers="Do the annotators use the categories equally often?",
        sentence="The Stuart-Maxwell test asks whether both annotators use the categories equally often.",
        works=(
            Work("Stuart (1955), Biometrika 42(3-4), 412-416", "10.1093/biomet/42.3-4.412"),
            Work("Maxwell (1970), British Journal of Psychiatry 116, 651-655", "10.1192/bjp.116.535.651"),
        ),
        kind="test",
    ),
    Measure(
        id="mcnemar",
        name="McNemar's test, annotated or not",
        symbol="χ²",
        formula="χ² = (b - c)² / (b + c)",
        chance="a unit that only one marked was as likely marked by the one as by the other",
        assumptions="Documents are independent; units are, where no document is known.",
        answers="Does one annotator mark more units than the other?",
        sentence="McNemar's test asks whether one annotator marks more units than the other.",
        works=(Work("McNemar (1947), Psychometrika 12(2), 153-157", "10.1007/BF02295996"),),
        kind="test",
    ),
)
