#!/bin/sh
# Guess: `segment` of pycantonese gives punctuation as tokens of its own, and `characters_to_jyutping` reads the
# characters beside it: 我話：「好。」 is 我 話 ： 「 好 。 」.
# Seen with pycantonese 5.0.0, released this year (PyPI): 話：「好 is one word there, and has no reading at all, not
# even for 話 and 好; so are 得啦 after 佢話：「, 好、壞, 好（壞 and 好/壞. In 老師話：「你哋要記住」 and 蘋果、橙 all
# marks are parted: it depends on the characters beside them, and short answers in quotations suffer. Pieces
# between the marks, given one by one, are read.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet pycantonese==5.0.0
cat > try.py <<'END'
import pycantonese

EXPECTED = {
    '我話：「好。」': [('我', 'ngo5'), ('話：「好', None), ('。', None), ('」', None)],
    '佢話：「得啦。」': [('佢', 'keoi5'), ('話：「得啦', None), ('。', None), ('」', None)],
    '好、壞': [('好、壞', None)],
    '好（壞）': [('好（壞', None), ('）', None)],
    '好/壞': [('好/壞', None)],
    '我話，好': [('我', 'ngo5'), ('話', 'waa6'), ('，', None), ('好', 'hou2')],
    '老師話：「你哋要記住。」': [
        ('老師', 'lou5 si1'), ('話', 'waa6'), ('：', None), ('「', None), ('你哋', 'nei5 dei6'), ('要', 'jiu3'),
        ('記住', 'gei3 zyu6'), ('。', None), ('」', None),
    ],
    '蘋果、橙': [('蘋果', 'ping4 gwo2'), ('、', None), ('橙', 'caang2')],
}
for text, usual in EXPECTED.items():
    read = pycantonese.characters_to_jyutping(text)
    print(text, read)
    if read != usual or pycantonese.segment(text) != [word for word, _ in usual]:
        raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
