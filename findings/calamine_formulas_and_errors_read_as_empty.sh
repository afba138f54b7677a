#!/usr/bin/env bash
# python-calamine 0.9.1: cells of XLSX whose value is an error, and formulas that no program has computed yet.
#
# Guessed: an error (#N/A) is told as an error or by its name, and a formula without a stored value as None, so that
#   neither looks like an empty cell; openpyxl tells "#N/A", and the formula's text or None.
# Seen: both are the empty text, as an empty cell is. A file that openpyxl writes has no value for any of its formulas.
# Means: what stands there vanishes without a sign. Look for such cells in the sheet's XML before you trust the rows.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check python-calamine==0.9.1 openpyxl==3.1.5 2>/dev/null
cat > "$folder/seen.py" <<'PY'
from io import BytesIO

import openpyxl
from python_calamine import CalamineWorkbook

book, file = openpyxl.Workbook(), BytesIO()
book.active.append(["plain", '="for"&"mula"', "#N/A", None, "last"])
book.active["C1"].data_type = "e"
book.save(file)
rows = CalamineWorkbook.from_filelike(BytesIO(file.getvalue())).get_sheet_by_index(0).to_python()
print("calamine", rows[0])
for name, only_values in (("openpyxl", False), ("openpyxl, values only", True)):
    read = openpyxl.load_workbook(BytesIO(file.getvalue()), data_only=only_values)
    print(name, [cell.value for cell in read.active[1]])
PY
"$folder/env/bin/python" "$folder/seen.py" | tee "$folder/out"
diff "$folder/out" - <<'END'
calamine ['plain', '', '', '', 'last']
openpyxl ['plain', '="for"&"mula"', '#N/A', None, 'last']
openpyxl, values only ['plain', None, '#N/A', None, 'last']
END
