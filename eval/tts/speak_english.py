"""Speaks sentences with the Python package hibari-tts, for `npm run eval -- tts english`.

    python speak_english.py FOLDER < sentences

Writes FOLDER/0.wav and so on. Needs `pip install hibari-tts==0.2.1`.
"""

import os
import sys

from hibari import Hibari


def main():
    voice = Hibari()
    for index, line in enumerate(sys.stdin.read().splitlines()):
        voice.save(line, os.path.join(sys.argv[1], f'{index}.wav'), seed=0)


if __name__ == '__main__':
    main()
