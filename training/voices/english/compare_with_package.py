"""Writes samples of the sound that the Python package hibari-tts 0.2.1 makes of 60 phoneme strings.

    python compare_with_package.py TEXTS > packages/engines/hibari/testing/package-samples.json

TEXTS has a sentence a line. Of each sound every 997th sample is kept, in 10,000ths. A test compares
the engine with them. Needs `pip install hibari-tts==0.2.1`.
"""

import argparse
import json

from hibari import Hibari

STRINGS = 60
STEP = 997


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('texts')
    arguments = parser.parse_args()
    with open(arguments.texts, encoding='utf-8') as file:
        texts = [line.strip() for line in file][:STRINGS]
    voice = Hibari()
    rows = []
    for text in texts:
        letters = ' '.join(voice.phonemize(text))
        sound = voice.from_phonemes(letters, seed=0)
        samples = [round(10_000 * float(sample)) for sample in sound[::STEP]]
        rows.append({'letters': letters, 'length': len(sound), 'samples': samples})
    print('[')
    print(',\n'.join(json.dumps(row, ensure_ascii=False) for row in rows))
    print(']')


if __name__ == '__main__':
    main()
