"""Tests of the training code. usage: python3 -m unittest (in this folder)"""
import json
import os
import tempfile
import unittest

import numpy as np
import torch

from clips import Clips
from network import BANDS, LikenessNet, export, pooled
from train import at_other_tempi, figures, train

FRAMES = 30


def write_clips(folder, count=60):
    """Made-up clips: people's levels change from frame to frame, machines' do not."""
    rng = np.random.default_rng(1)
    rows, lines = [], []
    for index in range(count):
        human = index % 2 == 0
        steady = np.repeat(rng.normal(0, 20, (FRAMES // 6, BANDS)), 6, 0)
        clip = 160 + steady + (rng.normal(0, 25, (FRAMES, BANDS)) if human else 0)
        rows.append(
            np.concatenate([np.clip(clip, 0, 255), np.ones((FRAMES, 1))], 1).astype(np.uint8)
        )
        lines.append(
            {
                'isHuman': human,
                'kind': 'eng-speakers' if human else 'formants',
                'speaker': str(index),
                'part': 'check' if index % 5 == 0 else 'train',
                'features': [],
            }
        )
    np.stack(rows).tofile(os.path.join(folder, 'mels.bin'))
    with open(os.path.join(folder, 'clips.jsonl'), 'w', encoding='utf8') as file:
        file.write('\n'.join(map(json.dumps, lines)))


class LikenessTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        write_clips(self.folder.name)
        self.clips = Clips(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def test_people_and_machines_are_drawn_alike_and_checks_never(self):
        weights = self.clips.weights()
        self.assertAlmostEqual(weights[self.clips.human == 1].sum(), 0.5)
        self.assertEqual(weights[self.clips.check].sum(), 0)

    def test_a_kind_can_be_left_out(self):
        weights = self.clips.weights(['formants'])
        self.assertAlmostEqual(weights[self.clips.human == 1].sum(), 1)

    def test_a_short_training_tells_unseen_people_from_machines(self):
        net = train(self.clips, None, steps=50, log=lambda *_, **__: None)
        scores = figures(net, self.clips, np.flatnonzero(self.clips.check))
        self.assertGreater(scores['eng-speakers'][0], scores['formants'][0] + 0.3)

    def test_a_faster_clip_ends_earlier(self):
        rng = np.random.default_rng(3)
        batches = [self.clips.batch(np.arange(2)) for _ in range(10)]
        changed = [at_other_tempi(mels, speech, [True, False], rng) for mels, speech in batches]
        self.assertLess(sum(spoken.sum() for _, spoken in changed), 20 * FRAMES)
        self.assertTrue(all(np.isfinite(mels).all() for mels, _ in changed))

    def test_pauses_do_not_count(self):
        logits = torch.tensor([[2.0, -50.0]])
        self.assertAlmostEqual(pooled(logits, torch.tensor([[1.0, 0.0]])).item(), 2, places=2)

    def test_the_stored_network_is_small(self):
        path = os.path.join(self.folder.name, 'network.onnx')
        export(LikenessNet(), path)
        self.assertLess(os.path.getsize(path), 300_000)


if __name__ == '__main__':
    unittest.main()
