"""Symbols of each language: conversion of transcripts to onset, rime (and tone) targets and back.

Cantonese is factored: rimes carry tones, onsets do not. A rime with tone is one joint symbol for
CTC, but the network predicts rime and tone separately (see model.py). A syllable without a
consonant has no onset symbol; syllabic `m` and `ng` are rimes. Mandarin is analogous; English has
phones only.
"""
import re

YUE_ONSETS = 'b p m f d t n l g k ng gw kw h w z c s j'.split()
YUE_RIMES = (
    'aa aai aau aam aan aang aap aat aak a ai au am an ang ap at ak e ei eu em en eng ep et ek '
    'i iu im in ing ip it ik o oi ou on ong ot ok u ui um un ung up ut uk '
    'oe oeng oet oek eoi eon eot yu yun yut m ng'
).split()
CMN_ONSETS = 'b p m f d t n l g k h j q x zh ch sh r z c s'.split()
CMN_RIMES = (
    'a ai an ang ao e ei en eng er i ia ian iang iao ie in ing iong iu iz ir o ong ou u ua uai uan '
    'uang '
    'ueng ui un uo v van ve vn'
).split()
ENG_PHONES = (
    'AA AE AH AO AW AX AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW '
    'V W '
    'Y Z ZH'
).split()

_YUE = re.compile(r'(ng|gw|kw|[bpmfdtnlgkhwzcsj])?([a-z]+)([1-6])$')


def split_jyutping(syllable):
    """('gw', 'ong', 2) for 'gwong2'; onset '' without a consonant; None for invalid jyutping."""
    base, tone = syllable[:-1], syllable[-1:]
    if tone not in '123456' or not tone:
        return None
    if base in ('m', 'ng'):
        return '', base, int(tone)
    if base in ('hm', 'hng'):
        return 'h', base[1:], int(tone)
    found = _YUE.match(syllable)
    if not found or found.group(2) not in YUE_RIMES:
        return None
    return found.group(1) or '', found.group(2), int(tone)


def split_pinyin(syllable):
    """('zh', 'ong', 1) for 'zhong1'; neutral tone is 5; None when unknown. `v` stands for ü."""
    found = re.match(r'([a-zü]+)([1-5]?)$', syllable.lower())
    if not found:
        return None
    base, tone = found.group(1).replace('ü', 'v'), int(found.group(2) or 5)
    if base.startswith('yu'):
        base = 'v' + base[2:]
    elif base[0] == 'y':
        base = base[1:] if base[1:2] == 'i' else 'i' + base[1:]
        base = {'iou': 'iu'}.get(base, base)
    elif base[0] == 'w':
        base = base[1:] if base[1:2] == 'u' else 'u' + base[1:]
        base = {'uei': 'ui', 'uen': 'un'}.get(base, base)
    onset = next(
        (o for o in ('zh', 'ch', 'sh') if base.startswith(o)),
        base[0] if base[0] in CMN_ONSETS else '',
    )
    rime = base[len(onset) :]
    if onset in ('j', 'q', 'x') and rime.startswith('u'):
        rime = 'v' + rime[1:]
    if rime == 'i' and onset in ('z', 'c', 's'):
        rime = 'iz'
    if rime == 'i' and onset in ('zh', 'ch', 'sh', 'r'):
        rime = 'ir'
    rime = {'iou': 'iu', 'uei': 'ui', 'uen': 'un'}.get(rime, rime)
    return (onset, rime, tone) if rime in CMN_RIMES else None


class Language:
    """Label tables of one language. Joint ids: 0 blank, then onsets, then rime x tone
    (rime-major)."""

    def __init__(self, name, onsets, rimes, tones, split):
        self.name, self.onsets, self.rimes, self.tones, self.split = (
            name,
            onsets,
            rimes,
            tones,
            split,
        )
        self.symbols = ['<blank>'] + onsets + rimes
        self._onset = {o: 1 + i for i, o in enumerate(onsets)}
        self._rime = {r: i for i, r in enumerate(rimes)}
        self.first_rime = 1 + len(onsets)

    @property
    def joint_size(self):
        return self.first_rime + len(self.rimes) * max(1, self.tones)

    def encode(self, units):
        """Joint target ids of a list of syllables (or phones); None if any is unknown."""
        out = []
        for unit in units:
            if not self.tones:
                if unit not in self._onset:
                    return None
                out.append(self._onset[unit])
                continue
            parts = self.split(unit)
            if parts is None or not 1 <= parts[2] <= self.tones:
                return None
            if parts[0]:
                out.append(self._onset[parts[0]])
            out.append(self.first_rime + self._rime[parts[1]] * self.tones + parts[2] - 1)
        return out

    def decode(self, ids):
        """Syllables (or phones) of joint ids after CTC collapse; an onset without a rime is
        dropped."""
        out, onset = [], ''
        for i in ids:
            if i < self.first_rime:
                if not self.tones:
                    out.append(self.symbols[i])
                onset = self.symbols[i]
            else:
                rime, tone = divmod(i - self.first_rime, self.tones)
                out.append(f'{onset}{self.rimes[rime]}{tone + 1}')
                onset = ''
        return out


LANGUAGES = {
    'yue': Language('yue', YUE_ONSETS, YUE_RIMES, 6, split_jyutping),
    'cmn': Language('cmn', CMN_ONSETS, CMN_RIMES, 5, split_pinyin),
    'eng': Language('eng', ENG_PHONES, [], 0, None),
}
