"""Sentences that readers put together, found again by their form, in the language that is being written."""

from markupsafe import Markup

from reportgen.words.language import ENGLISH, N_, edition
from reportgen.words.names import by_form, reason

FORMS = (
    # What labels are: evidence of a scale.
    N_("names"),
    N_("sets"),
    N_("lists"),
    N_("numbers with zeros before them, which are names"),
    N_("years from {low} to {high}, which are names"),
    N_("whole numbers from {low} to {high}, few enough to be ranks"),
    N_("numbers of {digits} digits each, which are codes"),
    N_("numbers from {low} to {high}, some of which are far from the others"),
    N_("numbers from {low} to {high}"),
    N_('numbers in "{column}", which are codes'),
    N_("words of a known order, {order}"),
    N_('sets, whose members are separated by "{sign}"'),
    N_("sets, as annotators could choose several"),
    N_("ratings from {low} to {high}, as the tool asked for"),
    N_("numbers from {low} to {high}, as the tool asked for"),
    N_("places in a ranking from {low} to {high}, as the tool asked for"),
    N_("on the scale that was chosen"),
    N_("{one} and {other}, which are names"),
    # How a table is laid out, and what it is.
    N_("the header in row {rows}"),
    N_("the header in rows {rows}"),
    N_("row {rows} left out"),
    N_("rows {rows} left out"),
    N_("{columns} filled down"),
    N_("decimal commas"),
    N_("percentages as numbers"),
    N_("Ratings table, CSV or TSV"),
    N_("Excel workbook"),
    N_("Table of marks, CSV or TSV"),
    N_("Confusion matrix, CSV"),
    N_("INCEpTION project"),
    N_("MMAX2 project"),
    N_("CoNLL columns"),
    N_("ELAN annotation document"),
    N_("Praat TextGrid, long or short"),
    N_("Ratings table, Parquet"),
    # What else they may be.
    N_('If they are names, the scale is "nominal".'),
    N_('If their order counts, the scale is "ordinal" or "interval".'),
    # What is in the way of an upload.
    N_("can't be written: {why}."),
    N_("has more than {count} files."),
    N_("is larger than {count} MB, and was not taken."),
    N_("what was sent is not a form with files."),
    N_("the upload was interrupted."),
    N_("Choose the files again."),
    N_("Choose files."),
    N_("Make room on the disk."),
    N_("Put them into a zip archive."),
    N_("The commands of a terminal read files of any size: reportgen init."),
    N_("is not a name that comes after {name}."),
    N_("Count on: 1.0, 1.1, 2.0."),
    N_("can't be read: {why}."),
    # Archives, workbooks, texts.
    N_("would unpack to {count} bytes, more than {copies} times its own."),
    N_("has {count} files; {copies} are read at most."),
    N_("is a damaged archive: its list of files is not that of its files."),
    N_("is a damaged archive: {why}."),
    N_('contains "{name}", which leads out of the archive.'),
    N_("Unpack it yourself if you trust it, and name the folder."),
    N_("Unpack it, and name the folder."),
    N_("Export it again."),
    N_("Export the file again."),
    N_("Export it again, or remove it."),
    N_("is empty."),
    N_("is a workbook of Excel 97 to 2003, or encrypted; neither is read."),
    N_("is not a workbook that can be read: {why}."),
    N_("Save it as .xlsx without a password, or as CSV."),
    N_("Save the workbook again."),
    N_("cell {cell} of a sheet has a formula whose value was never computed."),
    N_("Open the workbook in a spreadsheet, and save it."),
    N_("is not well-formed XML: {why}."),
    N_("has no export in a known format. Looked at: {names}."),
    N_("has no export in a known format."),
    N_("The command `reportgen formats` lists what can be read."),
    N_('covers "{text}" in the text, and the file says "{other}".'),
    N_("Export marks and texts together: one of them was changed since."),
    # Tables.
    N_("says the same of a unit as a row before, and counts once."),
    N_("is the first of {count} rows that say the same of a unit as one before: they count once."),
    N_(
        "1 label contradicts an earlier one of the same annotator on the same unit ({file}, line {line}); "
        "the first counts."
    ),
    N_(
        "{count} labels contradict an earlier one of the same annotator on the same unit (first in {file}, "
        "line {line}); the first counts."
    ),
    N_("{count} columns have this name."),
    N_("Give each column a name of its own."),
    N_("has {count} cells where the header has {copies}."),
    N_("Put quotation marks around a cell that contains the delimiter or a line break."),
    N_("a quotation mark is opened here and never closed."),
    N_("Close it, or double a quotation mark that belongs to the text."),
    N_("the first row seems to be data, not a header: {evidence}."),
    N_("no column is known as the {role}."),
    N_("there is a single column."),
    N_("there are no columns of two annotators."),
    N_("Separate columns with a comma, a semicolon or a tab."),
    N_("Write a column of labels for each annotator, or columns for unit, annotator and label."),
    N_("{name} is the only column of labels: two annotators are needed."),
    N_('there is no column "{name}".'),
    N_("has {count} annotators for {copies} labels: hardly any annotator gave two."),
    N_("has {count} different labels among {copies}: they are texts or names."),
    N_("has {count} different labels, more than {copies}: they are texts or names."),
    N_(
        "has {count} columns that could be annotators' ({columns}), and no more rows than that: rows may be "
        "annotators, and columns the units."
    ),
    N_(
        "has {count} different values in the {copies} cells of {columns}, which would be the labels: these "
        "look like texts or names."
    ),
    N_(
        "has columns that would be annotators' ({columns}), but they agree less than by chance: they may be "
        "categories with numbers of annotators, or different questions."
    ),
    N_(
        "has columns that would be annotators' ({columns}), but labels in a column are much more alike than "
        "those in a row: rows may be annotators, and columns the units."
    ),
    N_("has columns that would be annotators' ({columns}), and hardly a label is in two of them."),
    N_(
        "has columns that agree with each other ({columns}) and hardly agree with {others}, which may say "
        "something else."
    ),
    N_("has 0 and 1 in {columns}, which may be categories, and nothing says whose labels they are."),
    N_("has headers of two parts, and nothing says which part is the annotator: {columns}."),
    N_("has columns that are called like questions ({columns}), and nothing says whose labels they are."),
    N_("has columns without names ({columns}): the header may be further down."),
    N_("has the same columns twice ({columns}): these may be two tables side by side."),
    N_(
        'has {count} different names in {copies} rows of "{column}", which would be the annotators\' column: '
        "an annotator usually labels several units."
    ),
    N_(
        "is one of several files with the same columns: either these are annotators and each file is a "
        "document, or they are questions and each file is an annotator."
    ),
    N_("is one of files in folders whose names may be annotators, questions or documents."),
    N_("is one of several files with the same units: each file may be a question or a document."),
)
# What may follow a sentence: the ways that remain are listed on their own.
REMAINS = " What remains: "


def composed(text: str) -> str:
    """Return a sentence that a reader put together in the language that is being written.

    One that has no translation says that it is English.
    """
    before = text.partition(REMAINS)[0]
    said = reason(before)
    said = by_form(before, FORMS) if said == before else said
    if edition().language == ENGLISH:
        return text
    if said != before:
        return said
    return Markup('<span lang="en">{}</span>').format(text)
