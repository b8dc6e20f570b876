#!/bin/sh
# Guess: programs that read the text of a Word document give the characters that have a reading above
# them (the phonetic guide of Word, `w:ruby`); at worst with the reading beside each.
# Seen with python-docx 1.2.0, mammoth 1.13.0, markitdown 0.1.9 and docx2txt 0.9 (PyPI): of "A", 早 and 晨
# under their jyutping, and "B", the first three give "A" and "B" alone, and only mammoth, when it is
# asked for its messages, says that it left out an element. docx2txt gives both rows. The characters are
# in `w:rubyBase`, within the run, where these do not look. What a person annotated for learners is so
# lost to search, to translation and to language models, and just these words.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet python-docx==1.2.0 mammoth==1.13.0 'markitdown[docx]==0.1.9' docx2txt==0.9
cat > try.py <<'END'
import docx
import docx2txt
import mammoth
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from markitdown import MarkItDown


def ruby(character, reading):
    return parse_xml(
        f'<w:r {nsdecls("w")}><w:ruby><w:rubyPr><w:rubyAlign w:val="center"/><w:hps w:val="12"/>'
        '<w:hpsRaise w:val="22"/><w:hpsBaseText w:val="24"/><w:lid w:val="zh-HK"/></w:rubyPr>'
        f'<w:rt><w:r><w:t>{reading}</w:t></w:r></w:rt>'
        f'<w:rubyBase><w:r><w:t>{character}</w:t></w:r></w:rubyBase></w:ruby></w:r>'
    )


document = docx.Document()
paragraph = document.add_paragraph('A ')
for character, reading in (('早', 'zou2'), ('晨', 'san4')):
    paragraph._p.append(ruby(character, reading))
paragraph.add_run(' B')
document.save('annotated.docx')

with open('annotated.docx', 'rb') as file:
    raw = mammoth.extract_raw_text(file)
read = {
    'python-docx': docx.Document('annotated.docx').paragraphs[0].text,
    'mammoth': raw.value,
    'markitdown': MarkItDown().convert('annotated.docx').text_content,
    'docx2txt': docx2txt.process('annotated.docx'),
}
read = {name: ' '.join(text.split()) for name, text in read.items()}
for name, text in read.items():
    print(f'{name}: {text}')
if list(read.values()) != ['A B', 'A B', 'A B', 'A zou2早san4晨 B']:
    raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
