#!/bin/sh
# Guess: readers of Excel files leave the reading (`rPh`), which Excel keeps beside a text to show above it, out of the
# text, where the text is stored in its cell as where it is stored in the list of texts.
# Seen with exceljs 4.4.0 (npm): from the list 粵語 is right; in its cell it is 粵語jyut6 jyu5, one text of both. SheetJS
# (xlsx 0.18.5, npm), openpyxl 3.1.5 and python-calamine 0.9.1 (PyPI) give 粵語 for both. Programs that write row by row
# store texts in cells.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts exceljs@4.4.0 xlsx@0.18.5
python3 -m venv python
python/bin/pip install --quiet openpyxl==3.1.5 python-calamine==0.9.1
cat > write.py <<'END'
import zipfile

MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
SHEETS = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
TEXT = '<t>粵語</t><rPh sb="0" eb="2"><t>jyut6 jyu5</t></rPh>'


def relations(*targets):
    entries = ''.join(f'<Relationship Id="r{at}" Type="{OFFICE}/{kind}" Target="{path}"/>' for at, (kind, path) in enumerate(targets))
    return f'<Relationships xmlns="{PACKAGE}/relationships">{entries}</Relationships>'


PARTS = {'xl/workbook': 'sheet.main', 'xl/worksheets/sheet1': 'worksheet', 'xl/sharedStrings': 'sharedStrings'}
overrides = ''.join(f'<Override PartName="/{path}.xml" ContentType="{SHEETS}.{kind}+xml"/>' for path, kind in PARTS.items())
rels = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
files = {
    '[Content_Types].xml': f'<Types xmlns="{PACKAGE}/content-types">{rels}{overrides}</Types>',
    '_rels/.rels': relations(('officeDocument', 'xl/workbook.xml')),
    'xl/_rels/workbook.xml.rels': relations(('worksheet', 'worksheets/sheet1.xml'), ('sharedStrings', 'sharedStrings.xml')),
    'xl/workbook.xml': f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="a" sheetId="1" r:id="r0"/></sheets></workbook>',
    'xl/sharedStrings.xml': f'<sst xmlns="{MAIN}" count="1" uniqueCount="1"><si>{TEXT}</si></sst>',
    'xl/worksheets/sheet1.xml': f'<worksheet xmlns="{MAIN}"><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c>'
                    f'<c r="B1" t="inlineStr"><is>{TEXT}</is></c></row></sheetData></worksheet>',
}
with zipfile.ZipFile('words.xlsx', 'w') as archive:
    for path, content in files.items():
        archive.writestr(path, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' + content)
END
cat > read.py <<'END'
import openpyxl
import python_calamine

print('openpyxl', *[cell.value for cell in openpyxl.load_workbook('words.xlsx').active[1]])
print('calamine', *python_calamine.load_workbook('words.xlsx').get_sheet_by_index(0).to_python()[0])
END
cat > read.mjs <<'END'
import ExcelJS from 'exceljs';
import XLSX from 'xlsx';

const workbook = new ExcelJS.Workbook();
await workbook.xlsx.readFile('words.xlsx');
console.log('exceljs', ...['A1', 'B1'].map((cell) => workbook.worksheets[0].getCell(cell).text));
const { Sheets, SheetNames } = XLSX.readFile('words.xlsx');
console.log('SheetJS', ...['A1', 'B1'].map((cell) => Sheets[SheetNames[0]][cell].v));
END
python3 write.py
(node read.mjs; python/bin/python read.py) > seen
cat seen
cat > expected <<'END'
exceljs 粵語 粵語jyut6 jyu5
SheetJS 粵語 粵語
openpyxl 粵語 粵語
calamine 粵語 粵語
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
