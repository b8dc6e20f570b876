"""Compares the exported graphs with faster-whisper, which runs the published weights.

usage: compare.py MODEL GRAPHS RECORDINGS [COUNT]

MODEL is the folder of whisper.py, GRAPHS that of export.py. Both read COUNT (20) recordings of
RECORDINGS/eng-speakers greedily in windows of 30 s: prints the share of words in which the graphs
differ, whose weights are int8. Needs onnxruntime.
"""

import base64
import json
import os
import re
import sys

import numpy as np
import onnxruntime
from faster_whisper import WhisperModel

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, folder) for folder in ('../gpu', '../acoustic')]

from make_recordings import read_table  # noqa: E402
from score import ErrorCount  # noqa: E402
from store import load_audio  # noqa: E402

WINDOW_SAMPLES = 30 * 16000
MOST_TOKENS = 200


class Graphs:
    """The published encoder and decoder of a folder of export.py."""

    def __init__(self, folder):
        self.sessions = {
            name: onnxruntime.InferenceSession(os.path.join(folder, f'{name}.onnx'))
            for name in ('lower', 'upper', 'decoder')
        }
        with open(os.path.join(folder, 'listener.json'), encoding='utf8') as file:
            self.described = json.load(file)['decoder']
        with open(os.path.join(folder, 'vocabulary.txt'), encoding='ascii') as file:
            self.pieces = [base64.b64decode(line) for line in file.read().split('\n')]

    def read(self, pcm):
        """The English text of at most 30 s of sound."""
        special = self.described['special']
        window = np.zeros((1, WINDOW_SAMPLES), np.float32)
        window[0, : len(pcm)] = pcm[:WINDOW_SAMPLES]
        (lower,) = self.sessions['lower'].run(['lower'], {'pcm': window})
        upper = self.sessions['upper']
        names = [output.name for output in upper.get_outputs()]
        sound = dict(zip(names, upper.run(names, {'lower': lower})))
        layers, heads, size = (self.described[name] for name in ('layers', 'heads', 'size'))
        past_keys = np.zeros((layers, 1, heads, size, 0), np.float32)
        past_values = np.zeros((layers, 1, heads, 0, size), np.float32)
        never = [*self.described['suppressed'], *(n for k, n in special.items() if k != 'end')]
        tokens = [special[name] for name in ('start', 'english', 'transcribe', 'noTimestamps')]
        found = []
        while len(found) < MOST_TOKENS:
            logp, past_keys, past_values = self.sessions['decoder'].run(
                ['logp', 'new_keys', 'new_values'],
                {
                    'tokens': np.array([tokens], np.int64),
                    'rows': np.zeros(1, np.int64),
                    'past_keys': past_keys,
                    'past_values': past_values,
                    **sound,
                },
            )
            row = logp[0].copy()
            row[never] = -np.inf
            tokens = [int(row.argmax())]
            if tokens[0] == special['end']:
                break
            found += tokens
        return b''.join(self.pieces[token] for token in found).decode(errors='replace')


def words(text):
    return re.sub(r"[^A-Z' ]", ' ', text.upper()).split()


def main():
    if len(sys.argv) < 4:
        raise SystemExit(__doc__)
    model, folder, recordings = sys.argv[1:4]
    limit = int(sys.argv[4]) if len(sys.argv) > 4 else 20
    published = WhisperModel(model, device='cpu', compute_type='float32')
    graphs, count = Graphs(folder), ErrorCount()
    for row in read_table(recordings, 'eng-speakers')[:limit]:
        pcm = load_audio(os.path.join(recordings, row['file']))[:WINDOW_SAMPLES]
        segments, _ = published.transcribe(
            pcm, language='en', beam_size=1, temperature=0, without_timestamps=True
        )
        expected = words(' '.join(segment.text for segment in segments))
        count.add(expected, words(graphs.read(pcm)), has_tones=False)
    print(f'words that differ: {count}')


if __name__ == '__main__':
    main()
