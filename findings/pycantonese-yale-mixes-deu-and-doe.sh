#!/bin/sh
# Guess: `jyutping_to_yale` of pycantonese writes two syllables of Jyutping as two of Yale, and one final in the same way
# in each tone.
# Seen with pycantonese 5.0.0 (PyPI): the final of 掉, deu6, is `ew` in the tones 3 and 6 (dew, dewh) and `eu` in the others
# (dēu, déu, dèuh, déuh), which is how Yale writes `oe`: deu1 and doe1 are both dēu. `yale_to_jyutping` makes doe1 of it,
# so in four of six tones the syllable does not come back. `jyutping_to_tipa` raises a KeyError for this final and for
# em, en, ep, et, um and up, though `jyutping_to_ipa` knows them all.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet pycantonese==5.0.0
cat > try.py <<'END'
import pycantonese


def fails(syllable):
    try:
        pycantonese.jyutping_to_tipa(syllable)
    except KeyError:
        return True
    return False


for final in ('deu', 'doe'):
    syllables = [final + tone for tone in '123456']
    yale = [pycantonese.jyutping_to_yale(syllable)[0] for syllable in syllables]
    back = [pycantonese.yale_to_jyutping(syllable)[0] for syllable in yale]
    print(f'{final}: {" ".join(yale)}; back {" ".join(back)}')
finals = ('e', 'ei', 'ek', 'em', 'en', 'eng', 'ep', 'et', 'eu', 'um', 'up', 'ung')
print('no TIPA:', ' '.join(final for final in finals if fails(f'd{final}1')))
print('IPA:', ' '.join(pycantonese.jyutping_to_ipa(f'd{final}1')[0] for final in ('em', 'eu', 'up')))
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
deu: dēu déu dew dèuh déuh dewh; back doe1 doe2 deu3 doe4 doe5 deu6
doe: dēu déu deu dèuh déuh deuh; back doe1 doe2 doe3 doe4 doe5 doe6
no TIPA: em en ep et eu um up
IPA: tɛm55 tɛu55 tup̚55
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
