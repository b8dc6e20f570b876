#!/bin/sh
# Guess: a library of sentence boundaries that names Cantonese and Chinese among its languages ends a sentence
# at every 。, ！ and ？ outside of brackets, whatever follows.
# Seen with sentencex 1.0.32 (PyPI), the library of Wikimedia, languages `yue`, `zh` and `ja`: before a digit of
# ASCII it does not: 佢十歲。3個人。 is one sentence, and so is 真係？3個人。; before 三, ３, OK, a space or a
# bracket it ends. The rule that keeps "3.5" together, which no 。 needs, is applied to these marks too.
# Sentences that begin with a number, common in news and prices, are so spoken, translated or shown as one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet sentencex==1.0.32
cat > try.py <<'END'
import sentencex

EXPECTED = {
    '佢十歲。三個人。': 2, '多謝。OK。': 2, '好。（笑）走。': 2, '好。 3個人。': 2, '真係？三個人。': 2,
    '佢十歲。3個人。': 1, '真係？3個人。': 1, '好！3個人。': 1, '佢十歲。３個人。': 2,
}
for language in ('yue', 'zh', 'ja'):
    for text, usual in EXPECTED.items():
        sentences = list(sentencex.segment(language, text))
        print(language, ' | '.join(sentences))
        if len(sentences) != usual:
            raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
