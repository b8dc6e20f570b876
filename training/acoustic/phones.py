"""A broad phone alphabet of all languages, for an extra training target that makes them share the
encoder.

Without it, each language could use a part of the encoder that only models the few voices of that
language. A head that must give Cantonese `aa`, Mandarin `a` and English `AA` the same label for all
speakers prevents that. Used in training only. Glides and vowels are merged (Cantonese `j`, Mandarin
`i-`, English `Y`), unreleased stops kept apart.
"""
from labels import LANGUAGES, Language

YUE_VOWELS = {
    'aa': 'a',
    'a': '6',
    'e': 'e',
    'i': 'i',
    'o': 'o',
    'u': 'u',
    'oe': '9',
    'eo': '8',
    'yu': 'y',
    '': '',
}
YUE_CODAS = {
    'p': 'P',
    't': 'T',
    'k': 'K',
    'ng': 'N',
    'm': 'm',
    'n': 'n',
    'i': 'i',
    'u': 'u',
    '': '',
}
YUE_ONSETS = {'gw': 'g u', 'kw': 'k u', 'j': 'i', 'w': 'u', 'ng': 'N'}
CMN_ONSETS = {'zh': 'z', 'j': 'z', 'ch': 'c', 'q': 'c', 'sh': 'S', 'x': 'S'}
CMN_RIMES = dict(
    pair.split(':')
    for pair in (
        'a:a,ai:a i,an:a n,ang:a N,ao:a u,e:@,ei:e i,en:@ n,eng:@ N,er:@ r,i:i,ia:i a,ian:i e n,'
        'iang:i a N,iao:i a u,'
        'ie:i e,in:i n,ing:i N,iong:i u N,iu:i o u,iz:I,ir:I,o:o,ong:u N,ou:o u,u:u,ua:u a,'
        'uai:u a i,uan:u a n,'
        'uang:u a N,ueng:u @ N,ui:u e i,un:u @ n,uo:u o,v:y,van:y e n,ve:y e,vn:y n'
    ).split(',')
)
ENG = dict(
    pair.split(':')
    for pair in (
        'AA:a,AE:e,AH:6,AO:o,AW:a u,AX:@,AY:a i,B:b,CH:c,D:d,DH:d,EH:e,ER:@ r,EY:e i,F:f,G:g,HH:h,'
        'IH:i,IY:i,JH:z,K:k,L:l,'
        'M:m,N:n,NG:N,OW:o u,OY:o i,P:p,R:r,S:s,SH:S,T:t,TH:th,UH:u,UW:u,V:v,W:u,Y:i,Z:s,ZH:r'
    ).split(',')
)
PHONES = 'a 6 e i o u 9 8 y @ I b p d t g k P T K m n N f v th s S h l r z c'.split()
SHARED = Language('phone', PHONES, [], 0, None)


def rime_phones(rime):
    """Phones of a Cantonese rime, as one string: 'a N' for 'aang'."""
    if rime in ('m', 'ng'):
        return YUE_CODAS[rime]
    nucleus = next(
        v for v in ('aa', 'oe', 'eo', 'yu', 'a', 'e', 'i', 'o', 'u') if rime.startswith(v)
    )
    return f'{YUE_VOWELS[nucleus]} {YUE_CODAS[rime[len(nucleus):]]}'.strip()


def shared_targets(language, units):
    """Ids in SHARED of syllables or phones of one language, without immediate repetitions."""
    phones = []
    for unit in units:
        if language == 'eng':
            phones += ENG[unit].split()
            continue
        onset, rime, _ = LANGUAGES[language].split(unit)
        table = YUE_ONSETS if language == 'yue' else CMN_ONSETS
        phones += table.get(onset, onset).split()
        phones += (rime_phones(rime) if language == 'yue' else CMN_RIMES[rime]).split()
    return SHARED.encode([p for i, p in enumerate(phones) if i == 0 or p != phones[i - 1]])
