#!/bin/sh
# Guess: @huggingface/tokenizers, the library for Node and browsers, gives the same tokens for a `tokenizer.json` as
# tokenizers in Python, which wrote it.
# Seen with @huggingface/tokenizers 0.2.0 (npm) and tokenizers 0.23.3 (PyPI): it does for Chinese alone and for
# English alone. Where letters or digits of ASCII touch Chinese, the pre-tokenizer `Whitespace`, that of most
# examples of training, keeps one word in Python (T恤, 3個, MTR站) and makes two in Node: its `\w` is of ASCII, and
# the rest counts as marks. The tokens then differ from those that the model was trained with, and nothing fails.
# Texts of Hong Kong mix the two in almost every sentence.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @huggingface/tokenizers@0.2.0
python3 -m venv python
python/bin/pip install --quiet tokenizers==0.23.3
cat > try.py <<'END'
import json
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.trainers import BpeTrainer

TEXTS = ['今日天氣好好', 'hello world', '你好，世界！', '買T恤', '有3個', '去MTR站']
tokenizer = Tokenizer(BPE(unk_token='[UNK]'))
tokenizer.pre_tokenizer = Whitespace()
tokenizer.train_from_iterator(TEXTS * 3, BpeTrainer(vocab_size=500, special_tokens=['[UNK]']))
tokenizer.save('tokenizer.json')
with open('texts.json', 'w') as file:
    json.dump([[text, tokenizer.encode(text).tokens] for text in TEXTS], file)
END
python/bin/python try.py
cat > try.mjs <<'END'
import { readFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';

const read = (name) => JSON.parse(readFileSync(name, 'utf8'));
const tokenizer = new Tokenizer(read('tokenizer.json'), {});
let same = '';
for (const [text, expected] of read('texts.json')) {
  const { tokens } = tokenizer.encode(text);
  console.log(`${text}: Python ${expected.join(' | ')}, Node ${tokens.join(' | ')}`);
  same += tokens.join() === expected.join() ? '=' : '#';
}
if (same !== '===###') throw new Error(`behaves differently now: ${same}`);
END
node try.mjs
echo 'as described'
