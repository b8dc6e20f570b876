"""Hears English recordings with a Whisper model, for `npm run eval -- tts english`.

    python hear_english.py MODEL < paths

MODEL is a folder of a model that CTranslate2 converted. Prints a text a line. Needs
`pip install faster-whisper`.
"""

import sys

from faster_whisper import WhisperModel


def main():
    model = WhisperModel(sys.argv[1], device='cpu', compute_type='int8', cpu_threads=1)
    for path in sys.stdin.read().splitlines():
        segments, _ = model.transcribe(path, language='en', condition_on_previous_text=False)
        print(''.join(segment.text for segment in segments).strip().replace('\n', ' '), flush=True)


if __name__ == '__main__':
    main()
