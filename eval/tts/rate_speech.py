"""Rates how natural recordings sound, for `npm run eval -- tts naturalness`.

    python rate_speech.py < paths

Prints the opinion score that Distill-MOS predicts, 1 to 5, a line for each path. Needs
`pip install distillmos==0.9.1 soundfile`; its weights are in the package.
"""

import contextlib
import sys

import soundfile
import torch
from distillmos import ConvTransformerSQAModel
from torchaudio.functional import resample

SAMPLE_RATE_HZ = 16000


def main():
    torch.set_num_threads(1)
    # It prints a line about its weights.
    with contextlib.redirect_stdout(sys.stderr):
        model = ConvTransformerSQAModel()
    model.eval()
    for path in sys.stdin.read().splitlines():
        samples, rate = soundfile.read(path, dtype='float32', always_2d=True)
        sound = torch.from_numpy(samples.mean(1))[None]
        with torch.no_grad():
            score = model(resample(sound, rate, SAMPLE_RATE_HZ))
        print(f'{score.item():.4f}', flush=True)


if __name__ == '__main__':
    main()
