#!/bin/sh
# Guess: BudouX, which finds where a line of Chinese or Japanese may break, cuts alike in JavaScript and in Python: both
# have one model.
# Seen with budoux 0.9.2 (npm) and 0.10.1 (PyPI): JavaScript cuts between the two halves of a character outside the
# basic plane: of 𨋢門就嚟閂 (the lift's door is closing) the first phrase is half a character, which a page shows as an
# unknown character. Python gives 𨋢門.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts budoux@0.9.2
python3 -m venv python
python/bin/pip install --quiet budoux==0.10.1
cat > try.mjs <<'END'
import { loadDefaultTraditionalChineseParser } from 'budoux';

const parser = loadDefaultTraditionalChineseParser();
console.log(JSON.stringify(['𨋢門就嚟閂，請小心', '升降機門就嚟閂，請小心'].map((text) => parser.parse(text))));
END
cat > try.py <<'END'
import json

import budoux

parser = budoux.load_default_traditional_chinese_parser()
print(json.dumps([parser.parse(text) for text in ('𨋢門就嚟閂，請小心', '升降機門就嚟閂，請小心')], ensure_ascii=False, separators=(',', ':')))
END
(node try.mjs; python/bin/python try.py) > seen
cat seen
cat > expected <<'END'
[["\ud860","\udee2門","就","嚟閂，","請","小心"],["升降","機門","就","嚟閂，","請","小心"]]
[["𨋢門","就","嚟閂，","請","小心"],["升降","機門","就","嚟閂，","請","小心"]]
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
