"""Phones of English recordings without text, from another recognizer: prints
`file<TAB>start<TAB>end<TAB>phones`.

usage: make_pseudo_labels.py RECORDINGS ENGLISH_WORDS.tsv > pseudo-labels.tsv Needs Debian's
python3-pocketsphinx and pocketsphinx-en-us (BSD). Its words are mostly right on clean read speech,
and wrong words often have the right phones; the variety of speakers outweighs the errors. Stress is
dropped; AH becomes AX if it is unstressed in make_english_words.mjs. Recordings are cut between
words into pieces of about five seconds (times in seconds).
"""
import os
import sys

import numpy as np
from pocketsphinx import Decoder

from make_recordings import read_table
from store import load_audio

PIECE_S = 4.5
MODEL = '/usr/share/pocketsphinx/model/en-us'


def load_dictionary(path):
    with open(path, encoding='utf8') as lines:
        rows = (line.split() for line in lines)
        return {row[0]: row[1:] for row in rows if row}


def schwas(words_tsv):
    """{(word, phones without stress): phones with AX} from the dictionary with stress."""
    out = {}
    with open(words_tsv, encoding='utf8') as lines:
        for line in lines:
            word, phones, _ = line.rstrip('\n').split('\t')
            out[word] = ['AX' if p == 'AH0' else p.rstrip('012') for p in phones.split()]
    return out


def main():
    recordings, words_tsv = sys.argv[1:3]
    dictionary, stressed = load_dictionary(f'{MODEL}/cmudict-en-us.dict'), schwas(words_tsv)
    config = Decoder.default_config()
    for key, value in (
        ('-hmm', f'{MODEL}/en-us'),
        ('-lm', f'{MODEL}/en-us.lm.bin'),
        ('-dict', f'{MODEL}/cmudict-en-us.dict'),
        ('-logfn', '/dev/null'),
    ):
        config.set_string(key, value)
    decoder = Decoder(config)
    for row in read_table(recordings, 'eng-speakers'):
        pcm = load_audio(os.path.join(recordings, row['file']))
        decoder.start_utt()
        decoder.process_raw((np.clip(pcm, -1, 1) * 32767).astype('<i2').tobytes(), False, True)
        decoder.end_utt()
        phones, begin, end = [], None, 0.0
        for segment in decoder.seg():
            listed = dictionary.get(segment.word)
            if listed is None:
                continue  # silence and noise
            if phones and segment.start_frame / 100 - begin > PIECE_S:
                print(row['file'], begin, end, ' '.join(phones), sep='\t', flush=True)
                phones = []
            if not phones:
                begin = segment.start_frame / 100
            end = (segment.end_frame + 1) / 100
            plain = stressed.get(segment.word.split('(')[0])
            phones += (
                plain if plain and [p.replace('AX', 'AH') for p in plain] == listed else listed
            )
        if phones:
            print(row['file'], begin, end, ' '.join(phones), sep='\t', flush=True)


if __name__ == '__main__':
    main()
