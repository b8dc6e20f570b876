"""The clips that make-clips.ts wrote."""
import json
import os

import numpy as np

from network import BANDS


class Clips:
    """`mels` [n, T, BANDS + 1] of bytes, the last column whether there is speech."""

    def __init__(self, folder):
        with open(os.path.join(folder, 'clips.jsonl'), encoding='utf8') as file:
            self.lines = [json.loads(line) for line in file]
        raw = np.fromfile(os.path.join(folder, 'mels.bin'), np.uint8)
        self.mels = raw.reshape(len(self.lines), -1, BANDS + 1)
        self.human = np.array([line['isHuman'] for line in self.lines], np.float32)
        self.kinds = np.array([line['kind'] for line in self.lines])
        # People, and the joined pieces of their speech.
        self.slow = (self.human == 1) | (self.kinds == 'joined')
        self.check = np.array([line['part'] == 'check' for line in self.lines])

    def batch(self, chosen):
        """Values as eval/tts/log-mels.ts gives them, and the frames with speech."""
        part = self.mels[chosen].astype(np.float32)
        return (part[:, :, :BANDS] - 160) / 60, part[:, :, BANDS]

    def weights(self, without=()):
        """Chance to be drawn: people and machines alike, and every kind of machine."""
        used = ~self.check & ~np.isin(self.kinds, list(without))
        weight = np.zeros(len(self.lines))
        for human in (0, 1):
            side = used & (self.human == human)
            kinds = sorted(set(self.kinds[side]))
            for kind in kinds:
                share = (
                    0.15
                    if kind in SMALL
                    else (1 - 0.15 * len(SMALL & set(kinds))) / len(set(kinds) - SMALL)
                )
                weight[side & (self.kinds == kind)] = share / (side & (self.kinds == kind)).sum()
        return weight / weight.sum()


# Too uniform to count as much as the others: one woman's words, and crude joins.
SMALL = {'cmn-words', 'joined'}
