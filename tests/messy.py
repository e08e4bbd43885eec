"""Eight workbooks and tables as linguists keep them, each with the figure that its labels give."""

import io
import random
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np

from tests.readers.workbooks import old_workbook, spreadsheet

Labels = Sequence[Sequence[str | None]]
Row = list[Any]
# A file with its name, and the figure that its labels give.
Messy = Callable[[], tuple[str, bytes, float]]


def drawn(seed: int, units: int, people: int, labels: Sequence[str], alike: float = 0.75) -> list[list[str]]:
    """Return what people say of units: most often what is true of each."""
    chance = random.Random(seed)  # noqa: S311 - labels of a test
    truths = [chance.choice(labels) for _ in range(units)]
    return [
        [truth if chance.random() < alike else chance.choice(labels) for _ in range(people)]
        for truth in truths
    ]


def alpha(rows: Labels) -> float:
    """Return nominal alpha of the labels of units, None where somebody gave none, by another library."""
    names = sorted({label for row in rows for label in row if label is not None})
    codes = [[np.nan if label is None else names.index(label) for label in row] for row in rows]
    return float(krippendorff.alpha(np.array(codes).T, level_of_measurement="nominal"))


def _book(sheets: dict[str, list[Row]], change: Callable[[Any], None] = lambda _: None) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    change(book)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _coloured(sheet: Any, row: int) -> None:  # noqa: ANN401 - a sheet
    from openpyxl.styles import PatternFill

    for cell in sheet[row]:
        cell.fill = PatternFill("solid", fgColor="FFE699")


def titles_and_totals() -> tuple[str, bytes, float]:
    """German: titles over merged cells, coloured and blank rows between texts, a row of sums below."""
    labels = drawn(1, 30, 3, ("epistemisch", "deontisch", "dynamisch"))
    rows: list[Row] = [
        ["Projekt MODAL – Kodierung der Modalverben, Stand 12.03.2024"],
        ["Bitte nur die gelben Felder ausfüllen!"],
        [],
        ["Nr.", "Beleg", "Annika", "Bernd", "Carla", "Bemerkung"],
    ]
    for number, said in enumerate(labels, 1):
        if number % 10 == 1:
            rows.append([])
        note = "unklar, nochmal besprechen" if number % 11 == 0 else None
        rows.append([number, f"Er muss wohl zum {number}. Mal umziehen.", *said, note])
    rows += [[], ["Summe", None, 30, 30, 30, None]]

    def change(book: Any) -> None:  # noqa: ANN401 - a workbook
        sheet = book.worksheets[0]
        sheet.merge_cells("A1:F1")
        sheet.merge_cells("A2:F2")
        for row in (5, 16, 27):
            _coloured(sheet, row)

    return "Modalverben_final_v3.xlsx", _book({"Tabelle1": rows}, change), alpha(labels)


def two_headers() -> tuple[str, bytes, float]:
    """Two rows of names, the upper ones merged: questions above people; a unit is a text's sentence."""
    form, function = drawn(2, 24, 2, ("decl", "inter", "imp")), drawn(3, 24, 2, ("ask", "tell", "promise"))
    rows: list[Row] = [
        ["Sentence", "Utterance", "Form", None, "Function", None],
        [None, None, "Marta", "Nils", "Marta", "Nils"],
    ]
    rows += [
        [f"S{number:02}", f"Could you open window {number}, please?", *one, *other]
        for number, (one, other) in enumerate(zip(form, function, strict=True), 1)
    ]

    def change(book: Any) -> None:  # noqa: ANN401 - a workbook
        for cells in ("A1:A2", "B1:B2", "C1:D1", "E1:F1"):
            book.worksheets[0].merge_cells(cells)

    return "speech acts.xlsx", _book({"Coding": rows}, change), alpha(form)


def sheets_of_coders() -> tuple[str, bytes, float]:
    """French: a sheet for each coder, each with a title of its own, and a legend."""
    labels = drawn(4, 25, 3, ("métaphore", "métonymie", "littéral"))
    sheets: dict[str, list[Row]] = {
        "Légende": [
            ["Étiquette", "Signification"],
            ["métaphore", "sens figuré par ressemblance"],
            ["métonymie", "sens figuré par contiguïté"],
            ["littéral", "sens propre"],
        ]
    }
    for place, who in enumerate(("Marie", "Paul", "Zoé")):
        sheets[who] = [
            [f"Annotation de {who}"],
            [],
            ["Phrase n°", "Énoncé", "Étiquette", "Commentaire"],
            *(
                [n, f"La phrase numéro {n} du corpus.", said[place], "à revoir" if n % 9 == place else None]
                for n, said in enumerate(labels, 1)
            ),
        ]
    return "Métaphores.xlsx", _book(sheets), alpha(labels)


def filled_down() -> tuple[str, bytes, float]:
    """LibreOffice: texts named once above their sentences, which are numbered again in each; dates."""
    labels = drawn(5, 32, 2, ("positive", "negative", "neutral"))
    rows: list[Row] = [["Text", "Sent.", "Date", "Ole", "Pia"]]
    for number, said in enumerate(labels):
        day = date(2023, 5, 1) + timedelta(days=number // 8)
        text = f"Brief {number // 8 + 1}" if number % 8 == 0 else None
        rows.append([text, number % 8 + 1, day.isoformat(), *said])
    return "letters.ods", spreadsheet(rows), alpha(labels)


def counts_beside() -> tuple[str, bytes, float]:
    """A table of counts beside that of labels, and notes in the margin."""
    labels = drawn(6, 28, 2, ("irony", "none"))
    each = [[row[place] for row in labels] for place in (0, 1)]
    counts: list[Row] = [["label", "Kim", "Lee"]]
    counts += [[name, each[0].count(name), each[1].count(name)] for name in ("irony", "none")]
    rows: list[Row] = [["tweet", "Kim", "Lee"]]
    rows += [[f"t{number}", *said] for number, said in enumerate(labels, 1)]
    for row, beside in zip(rows, counts, strict=False):
        row += [None, *beside]
    rows[9] += [None, None, None, None, "Kim was ill here, check again"]
    return "irony_tweets.xlsx", _book({"Sheet1": rows}), alpha(labels)


def long_with_blanks() -> tuple[str, bytes, float]:
    """Excel 97: a row for each label, the passage written once for its coders, averages below."""
    labels = drawn(7, 26, 3, ("agent", "patient", "theme"))
    rows: list[Row] = [["Passage", "Coder", "Role"]]
    for number, said in enumerate(labels, 1):
        for place, (who, label) in enumerate(zip(("Ines", "Jan", "Kato"), said, strict=True)):
            rows.append([f"P{number}" if not place else None, who, label])
    return "roles.xls", old_workbook(rows), alpha(labels)


def semicolons() -> tuple[str, bytes, float]:
    """French headers, semicolons, Windows-1252, a column that says whether the two agree, averages below."""
    labels = drawn(8, 30, 2, ("ouvert", "fermé", "mixte"))
    lines = ["Nº;Énoncé;Annotatrice 1;Annotateur 2;Accord"]
    lines += [
        f'{n};"Qu’est-ce que c’est, l’énoncé {n} ?";{one};{two};{"oui" if one == two else "non"}'
        for n, (one, two) in enumerate(labels, 1)
    ]
    same = sum(one == two for one, two in labels)
    lines += [f"Moyenne;;;;{same / 30:.2f}".replace(".", ",")]
    return "énoncés.csv", "\r\n".join([*lines, ""]).encode("cp1252"), alpha(labels)


def separators() -> tuple[str, bytes, float]:
    """Rows that name an interview between its turns, dates, minutes, and a decision beside two coders."""
    labels = drawn(9, 36, 2, ("claim", "evidence", "other"), 0.65)
    chance = random.Random(9)  # noqa: S311 - decisions of a test
    rows: list[Row] = [["ID", "Turn", "coded on", "Rosa", "Sven", "final"]]
    for number, said in enumerate(labels, 1):
        if number % 12 == 1:
            rows.append([f"--- Interview {number // 12 + 1} ---"])
        day = date(2024, 2, 1) + timedelta(days=number // 5)
        rows.append([f"u{number}", f"And then we said {number} things.", day, *said, chance.choice(said)])

    def change(book: Any) -> None:  # noqa: ANN401 - a workbook
        sheet = book.worksheets[0]
        for row in (2, 15, 28):
            sheet.merge_cells(start_row=row, start_column=1, end_row=row, end_column=6)
            _coloured(sheet, row)

    return "interviews (Kopie).xlsx", _book({"Coding": rows, "Sheet2": []}, change), alpha(labels)


MESSY: Sequence[Messy] = (
    titles_and_totals,
    two_headers,
    sheets_of_coders,
    filled_down,
    counts_beside,
    long_with_blanks,
    semicolons,
    separators,
)


def write(folder: Path, made: Messy) -> tuple[Path, float]:
    """Write a table into a folder; return it, and its figure."""
    name, content, value = made()
    (folder / name).write_bytes(content)
    return folder / name, value
