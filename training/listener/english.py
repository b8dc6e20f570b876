"""Packs English sentences with their letters, as training/gpu/pack.py packs the other recordings.

usage: english.py RECORDINGS MODEL PACKED

The learners' sentences come with their text. The native readers have none: the published model
writes it down (faster-whisper, from the folder MODEL of whisper.py). Needs opusenc.
"""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, folder) for folder in ('../gpu', '../acoustic')]

from make_recordings import is_test_learner, read_table  # noqa: E402
from pack import OTHER_RATE, Packer  # noqa: E402
from store import load_audio  # noqa: E402

SAMPLE_RATE_HZ = 16000
LONGEST_S, SHORTEST_S = 11, 1
# A segment of which the model is not sure is left out.
LEAST_LOG_PROBABILITY = -0.6


def letters(text):
    """Upper-case letters of a text, with _ between its words."""
    return list('_'.join(re.sub(r"[^A-Z' ]", ' ', text.upper().replace('’', "'")).split()))


def is_test_reader(speaker):
    """One native reader in eight; never trained on, not even as noise."""
    return int(re.sub(r'\D', '', speaker) or 0) % 8 == 0


def learners(recordings, is_test):
    for row in read_table(recordings, 'eng-learners-train'):
        if is_test_learner(row['speaker']) == is_test:
            yield load_audio(os.path.join(recordings, row['file'])), row['text'], row['speaker']


def readers(recordings, model):
    """Segments of the native readers, with the text that the published model hears."""
    from faster_whisper import WhisperModel

    whisper = WhisperModel(model, device='cpu', compute_type='int8', cpu_threads=2)
    for row in read_table(recordings, 'eng-speakers'):
        pcm = load_audio(os.path.join(recordings, row['file']))
        segments, _ = whisper.transcribe(
            pcm, language='en', beam_size=1, condition_on_previous_text=False
        )
        for segment in segments:
            if segment.avg_logprob < LEAST_LOG_PROBABILITY or re.search(r'\d', segment.text):
                continue
            first, last = (int(t * SAMPLE_RATE_HZ) for t in (segment.start, segment.end))
            yield pcm[first:last], segment.text, 'native:' + row['speaker']


def pack(packed, name, sentences):
    packer = Packer(packed, name, OTHER_RATE)
    for pcm, text, speaker in sentences:
        units = letters(text)
        if units and SHORTEST_S < len(pcm) / SAMPLE_RATE_HZ < LONGEST_S:
            packer.add(pcm, 'eng', speaker, units)
    packer.close()


def main():
    recordings, model, packed = sys.argv[1:4]
    pack(packed, 'letters', learners(recordings, False))
    pack(packed, 'letters-test', learners(recordings, True))
    found = list(readers(recordings, model))
    for name, is_test in (('letters-native', False), ('letters-native-test', True)):
        pack(packed, name, (s for s in found if is_test_reader(s[2]) == is_test))


if __name__ == '__main__':
    main()
