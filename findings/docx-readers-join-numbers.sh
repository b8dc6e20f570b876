#!/bin/sh
# Guess: who takes the text out of a .docx keeps what parts two words or numbers there: the hyphen that does not break a
# line (Ctrl+Shift+_ in Word, in 2852‑1234 or 10‑20), a tab, and a break of the line within a paragraph.
# Seen with docx2txt 0.9 (PyPI) and officeparser 7.8.0 (npm): the hyphen is gone, so 10‑20 becomes 1020. officeparser and
# `extractRawText` of mammoth 1.13.0 (npm) leave line breaks out, so 甲 and 乙 in two lines become 甲乙, and
# officeparser leaves out tabs too. None gives an error. python-docx 1.2.0 (PyPI) keeps all three, and
# `convertToHtml` of mammoth does.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts mammoth@1.13.0 officeparser@7.8.0
python3 -m venv python
python/bin/pip install --quiet python-docx==1.2.0 docx2txt==0.9
cat > write.py <<'END'
import docx
from docx.oxml import OxmlElement

document = docx.Document()
for name, element, before, after in (
    ('hyphen', 'w:noBreakHyphen', '10', '20'),
    ('tab', 'w:tab', '10', '20'),
    ('line', 'w:br', '甲', '乙'),
):
    run = document.add_paragraph(f'{name}=').add_run(before)
    run._r.append(OxmlElement(element))
    document.paragraphs[-1].add_run(after)
document.save('text.docx')
END
python/bin/python write.py
cat > read.py <<'END'
import re

import docx
import docx2txt

texts = {
    'python-docx': '\n'.join(paragraph.text for paragraph in docx.Document('text.docx').paragraphs),
    'docx2txt': docx2txt.process('text.docx'),
}
for name, text in texts.items():
    hyphen, tab, line = re.search('hyphen=(.*?)\n+tab=(.*?)\n+line=(.*)', text, re.DOTALL).groups()
    print(name, repr(hyphen), repr(tab), repr(re.sub('\n+', '\n', line.strip())))
END
cat > read.js <<'END'
import mammoth from 'mammoth';
import * as office from 'officeparser';

const texts = {
  'mammoth, raw text': (await mammoth.extractRawText({ path: 'text.docx' })).value,
  'mammoth, HTML': (await mammoth.convertToHtml({ path: 'text.docx' })).value.replaceAll('</p>', '\n'),
  officeparser: (await office.parseOffice('text.docx')).toText(),
};
for (const [name, text] of Object.entries(texts)) {
  const [, hyphen, tab, line] = /hyphen=(.*?)\n+.*?tab=(.*?)\n+.*?line=([^]*)/u.exec(text);
  console.log(name, JSON.stringify([hyphen, tab, line.trim()]));
}
END
{ python/bin/python read.py; node read.js; } > seen
cat seen
cat > expected <<'END'
python-docx '10-20' '10\t20' '甲\n乙'
docx2txt '1020' '10\t20' '甲\n乙'
mammoth, raw text ["10‑20","10\t20","甲乙"]
mammoth, HTML ["10‑20","10\t20","甲<br />乙"]
officeparser ["1020","1020","甲乙"]
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
