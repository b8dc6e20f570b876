#!/bin/sh
# Guess: `yue-Latn` of epitran, listed as Cantonese (Jyutping), gives each syllable of Jyutping all of its sounds and
# its tone in IPA, so that syllables that sound different are written differently.
# Seen with epitran 1.35.3 (PyPI): 八 baat3 has no vowel (pt̚˧), nor has any syllable in -aat or -aap; 元 jyun4 and 算
# syun3 have no n; 乾 gon1 and 根 gan1 are one, zing1 and zeng1 too. Only the last tone of a text becomes IPA, the
# others stay digits. No error is raised, and in a lexicon made with it different words have the same phonemes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --no-compile epitran==1.35.3
cat > try.py <<'END'
import epitran

cantonese = epitran.Epitran('yue-Latn')
for word in ('baat3', 'faat3', 'saap3', 'laap6', 'jyun4', 'syun3', 'gon1', 'gan1', 'zing1', 'zeng1', 'hou2', 'ngo5 hou2 hoi1 sam1'):
    print(word, cantonese.transliterate(word))
END
python/bin/python -W ignore try.py > seen
cat seen
cat > expected <<'END'
baat3 pt̚˧
faat3 ft̚˧
saap3 sp̚˧
laap6 lp̚˨
jyun4 jyu˨˩
syun3 syu˧
gon1 kɐn˥
gan1 kɐn˥
zing1 tsɛŋ˥
zeng1 tsɛŋ˥
hou2 hɔw˨˥
ngo5 hou2 hoi1 sam1 ŋɔ5 hɔw2 hɔj1 sɐm˥
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
