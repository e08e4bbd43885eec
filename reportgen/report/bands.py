"""Words of benchmark scales, which say what agreement is; the same words elsewhere may say something else."""

from reportgen.report.language import pgettext


def band(word: str) -> str:
    """Return the word of a benchmark scale in the language that is being written."""
    return _bands().get(word, word)


def _bands() -> dict[str, str]:
    return {
        "almost perfect": pgettext("agreement is", "almost perfect"),
        "substantial": pgettext("agreement is", "substantial"),
        "moderate": pgettext("agreement is", "moderate"),
        "fair": pgettext("agreement is", "fair"),
        "slight": pgettext("agreement is", "slight"),
        "poor": pgettext("agreement is", "poor"),
        "very good": pgettext("agreement is", "very good"),
        "good": pgettext("agreement is", "good"),
        "excellent": pgettext("agreement is", "excellent"),
        "fair to good": pgettext("agreement is", "fair to good"),
        "reliable": pgettext("agreement is", "reliable"),
        "tentative conclusions only": pgettext("agreement is", "tentative conclusions only"),
        "no conclusions": pgettext("agreement is", "no conclusions"),
    }
