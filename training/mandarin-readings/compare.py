"""Lists words that this project reads otherwise in Mandarin than other dictionaries do.

    python3 -m venv venv
    venv/bin/pip install jieba==0.42.1 pypinyin==0.55.0 g2pM==0.1.2.5 numpy tqdm
    npm pack @pinyin-pro/data@1.3.1 && tar -xf pinyin-pro-data-1.3.1.tgz
    venv/bin/python compare.py words > words.txt
    node ../../scripts/run.js read-words.ts < words.txt > ours.txt
    venv/bin/python compare.py differences ours.txt package/json/complete.json > differences.tsv

`differences.tsv` has a word a line, its reading here, the reading of at least two of the others,
and how many read it so (3: all). Sandhi and neutral tones are no difference. What is right of it
is copied by hand into models/mandarin-readings/words.tsv.
"""
import json
import re
import sys
from pathlib import Path

WORDS = 150_000
HAN = re.compile(r'^[\u4e00-\u9fff]{2,6}$')


def frequent_words():
    """Gives the most frequent words of jieba's dictionary, the most frequent first."""
    import jieba
    lines = (Path(jieba.__file__).parent / 'dict.txt').read_text().splitlines()
    rows = [line.split() for line in lines]
    counted = sorted(((int(row[1]), row[0]) for row in rows if HAN.match(row[0])), reverse=True)
    return [word for _, word in counted[:WORDS]]


def readers(path):
    """Gives the readers: functions from a word to its syllables, or None."""
    from g2pM import G2pM
    from pypinyin import Style, lazy_pinyin
    from pypinyin.contrib.tone_convert import to_tone3
    listed = json.loads(Path(path).read_text())
    network = G2pM()

    def in_tones(syllable):
        return to_tone3(syllable, neutral_tone_with_five=True).replace('ü', 'v')

    def of_phrases(word):
        return lazy_pinyin(word, style=Style.TONE3, neutral_tone_with_five=True, v_to_u=False)

    def of_network(word):
        return [part.replace('u:', 'v') for part in network(word, tone=True, char_split=True)]

    def of_data(word):
        entry = listed.get(word)
        return None if entry is None else [in_tones(part) for part in entry[0].split(' ')]

    return [of_phrases, of_network, of_data]


def is_same(one, other, character):
    """Tells whether two syllables differ by sandhi or a neutral tone at most."""
    if one == other:
        return True
    if one[:-1] != other[:-1]:
        return False
    return character in '一不' or '5' in (one[-1], other[-1]) or {one[-1], other[-1]} == {'2', '3'}


def are_same(one, other, word):
    return len(one) == len(other) == len(word) and all(map(is_same, one, other, word))


def differences(ours_path, data_path):
    read_by = readers(data_path)
    for line in Path(ours_path).read_text().splitlines():
        word, _, syllables = line.partition('\t')
        ours = syllables.split(' ')
        answers = [answer for answer in (read(word) for read in read_by) if answer is not None]
        for answer in answers:
            count = sum(are_same(answer, other, word) for other in answers)
            if count >= 2:
                if not are_same(answer, ours, word):
                    print(word, ' '.join(ours), ' '.join(answer), count, sep='\t')
                break


if __name__ == '__main__':
    if sys.argv[1] == 'words':
        print('\n'.join(frequent_words()))
    else:
        differences(*sys.argv[2:])
