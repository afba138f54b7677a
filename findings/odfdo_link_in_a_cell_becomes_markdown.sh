#!/usr/bin/env bash
# odfdo 3.27.3 beside python-calamine 0.9.1: the value of a spreadsheet's cell whose text is a link.
#
# Guessed: a cell that shows "Nike" has the value "Nike", with a link on it or without; both readers agree.
# Seen: odfdo's `cell.value` writes the link out in Markdown, "[Nike](https://example.org/nike)". A second paragraph in
#   a cell is joined by a line break. calamine reads the shown text of the same file, "Nike".
# Means: names pasted from a web page (an office program keeps their links) come in with an address in brackets. Read
#   the shown text of the cell's paragraphs, or use another reader.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check odfdo==3.27.3 python-calamine==0.9.1 2>/dev/null
cat > "$folder/seen.py" <<'PY'
import sys

from odfdo import Cell, Document, Link, Paragraph, Row, Table
from python_calamine import CalamineWorkbook

path = sys.argv[1]
linked, twofold = Cell(), Cell()
for cell, paragraphs in ((linked, [Paragraph()]), (twofold, [Paragraph("Tanit"), Paragraph("of Tyre")])):
    for paragraph in paragraphs:
        cell.append(paragraph)
    cell.type = "string"
linked.get_elements("text:p")[0].append(Link("https://example.org/nike", text="Nike"))
row, table = Row(), Table("ships")
row.set_cell(0, linked)
row.set_cell(1, twofold)
table.append_row(row)
made = Document("spreadsheet")
made.body.clear()
made.body.append(table)
made.save(path)
table = Document(path).body.get_table(0)
print("odfdo:", [table.get_cell((column, 0)).value for column in (0, 1)])
print("calamine:", CalamineWorkbook.from_path(path).get_sheet_by_index(0).to_python()[0])
PY
"$folder/env/bin/python" "$folder/seen.py" "$folder/ships.ods" | tee "$folder/out"
diff "$folder/out" - <<'END'
odfdo: ['[Nike](https://example.org/nike)', 'Tanit\nof Tyre']
calamine: ['Nike', 'Tanit\nof Tyre']
END
