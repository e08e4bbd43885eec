"""The languages of reports: what is known of each besides its translations, which `templates/locale` has."""

from collections.abc import Mapping

from reportgen.base.dataclass import dataclass


@dataclass(frozen=True)
class Language:
    """A language: what it calls itself, how it writes numbers and dates, and where its sentences end.

    - `percent` follows a number; `none_is_one` says that zero takes the singular.
    - `first` is the first day of a month in a date.
    - No sentence ends after `abbreviations` (in lower case), nor after those `before_numbers` if a number
      follows.
    """

    name: str
    percent: str = "\N{NO-BREAK SPACE}%"
    none_is_one: bool = False
    first: str = "1"
    abbreviations: str = ""
    before_numbers: str = ""


LANGUAGES: Mapping[str, Language] = {
    "en": Language(
        "English",
        percent="%",
        abbreviations=(
            "al approx apr ca capt cf col dr e.g gen i.e jr lt mr mrs ms mt prof rev sen sgt sp spp sr st "
            "subsp viz vs"
        ),
        before_numbers="art ch chap eq eqs fig figs no nos p par pp sec sect tab vol vols",
    ),
    "fr": Language(
        "Français",
        none_is_one=True,
        # An ordinal, which the patterns of dates do not know.
        first="1er",
        abbreviations="al apr av cf col dr env ex mgr mlle mm mme mr pr prof resp st ste",
        before_numbers="art ch chap fig n p par pp sect tab vol éq",
    ),
}
