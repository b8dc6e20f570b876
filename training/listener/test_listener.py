"""Tests of the parts of the training that need no recordings: `python3 -m unittest`."""

import os
import struct
import tempfile
import unittest

import numpy as np
import torch

import mels
import network
import whisper
from english import letters
from graphs import LARGEST_WEIGHT, round_rows
from score import edit_distance, greedy
from train_listener import batch_loss
from vocabulary import SPECIAL, byte_characters, kept_tokens


def write_model(path, layers=whisper.LAYERS):
    """A file in CTranslate2's format with random weights of the published shapes."""
    width, random = whisper.WIDTH, np.random.default_rng(1)
    shapes = {
        'position_encodings/encodings': (1500, width),
        'layer_norm/gamma': (width,),
        'layer_norm/beta': (width,),
        'conv1/weight': (width, whisper.MELS, 3),
        'conv1/bias': (width,),
        'conv2/weight': (width, width, 3),
        'conv2/bias': (width,),
    }
    for i in range(layers):
        for norm in ('self_attention/layer_norm', 'ffn/layer_norm'):
            for end in ('gamma', 'beta'):
                shapes[f'layer_{i}/{norm}/{end}'] = (width,)
        for name, (outputs, inputs) in {
            'self_attention/linear_0': (3 * width, width),
            'self_attention/linear_1': (width, width),
            'ffn/linear_0': (4 * width, width),
            'ffn/linear_1': (width, 4 * width),
        }.items():
            shapes[f'layer_{i}/{name}/weight'] = (outputs, inputs)
            shapes[f'layer_{i}/{name}/bias'] = (outputs,)

    def text(value):
        return struct.pack('<H', len(value) + 1) + value.encode() + b'\0'

    with open(path, 'wb') as file:
        file.write(struct.pack('<I', 6) + text('WhisperSpec') + struct.pack('<II', 3, len(shapes)))
        for name, shape in shapes.items():
            values = (random.standard_normal(shape) * 0.02).astype(np.float16)
            file.write(text('encoder/' + name) + struct.pack('<B', len(shape)))
            file.write(
                struct.pack(f'<{len(shape)}I', *shape) + struct.pack('<BI', 4, values.nbytes)
            )
            file.write(values.tobytes())


class Listener(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, 'model.bin')
        write_model(cls.path)
        torch.manual_seed(1)
        cls.listener = network.Listener(cls.path)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @torch.no_grad()
    def test_the_tuned_half_begins_as_the_published_one(self):
        sound = torch.randn(2, mels.MELS, 200)
        x = self.listener.published.enter(sound)
        for layer in self.listener.published.layers:
            x = layer(x)
        published = self.listener.published.norm(x)
        self.assertLess(float((self.listener.encode(sound) - published).abs().max()), 1e-5)

    @torch.no_grad()
    def test_padding_changes_nothing(self):
        sound = torch.randn(1, mels.MELS, 120)
        padded = torch.cat([sound, torch.zeros(1, mels.MELS, 80)], 2)
        # The convolutions see the first padded frame.
        alone = self.listener.encode(sound)[:, :58]
        beside = self.listener.encode(padded, torch.tensor([60]))[:, :58]
        self.assertLess(float((alone - beside).abs().max()), 0.05)

    def test_a_batch_of_all_kinds_has_a_loss_and_gradients_above_the_shared_layers_alone(self):
        batch = {
            'mels': torch.randn(4, mels.MELS, 200),
            'frames': torch.tensor([100, 90, 80, 70]),
            'languages': ['yue', 'cmn', 'eng', ''],
            'targets': [
                network.SPELLINGS['yue'].encode(['nei5', 'hou2']),
                network.SPELLINGS['cmn'].encode(['ni3', 'hao3']),
                network.SPELLINGS['eng'].encode(letters('Good day')),
                [],
            ],
        }
        loss, shown = batch_loss(self.listener, batch)
        loss.backward()
        self.assertEqual(sorted(shown), ['cmn', 'eng', 'language', 'yue'])
        self.assertTrue(all(p.grad is not None for p in self.listener.tuned().values()))
        self.assertTrue(all(p.grad is None for p in self.listener.published.parameters()))

    def test_weights_survive_saving_and_loading(self):
        state = {name: value + 1 for name, value in self.listener.tuned_state().items()}
        before = self.listener.tuned_state()
        self.listener.load_tuned(state)
        self.assertTrue(torch.equal(self.listener.heads['yue'].bias, state['heads.yue.bias']))
        self.listener.load_tuned(before)
        with self.assertRaises(SystemExit):
            self.listener.load_tuned({'heads.yue.bias': torch.zeros(1)})


class Mels(unittest.TestCase):
    def test_a_tone_is_loudest_in_its_band_and_a_warp_moves_it_down(self):
        seconds = torch.arange(16000) / 16000
        power = mels.powers(torch.sin(2 * np.pi * 1500 * seconds)[None])
        bands = [
            int(mels.log_mels(power, mels.mel_filters(warp))[0].mean(1).argmax())
            for warp in (0.87, 1.0, 1.15)
        ]
        self.assertEqual(sorted(bands, reverse=True), bands)
        self.assertEqual(len(set(bands)), 3)
        center = mels.mel_to_hz(np.linspace(0, mels.hz_to_mel(8000), 82))[bands[1] + 1]
        self.assertLess(abs(center - 1500), 60)

    def test_ten_milliseconds_are_a_column(self):
        self.assertEqual(mels.powers(torch.zeros(1, 16000)).shape, (1, mels.BINS, 100))


class Export(unittest.TestCase):
    def test_rounded_weights_are_near_and_fit_seven_bits(self):
        weight = np.random.default_rng(2).standard_normal((5, 64)) * [[1], [1e-3], [30], [0.5], [0]]
        rounded, scale = round_rows(weight)
        self.assertLessEqual(np.abs(rounded).max(), LARGEST_WEIGHT)
        self.assertTrue((np.abs(rounded * scale[:, None] - weight) <= scale[:, None] * 0.51).all())

    def test_every_byte_has_a_character(self):
        self.assertEqual(sorted(byte_characters().values()), list(range(256)))

    def test_chinese_and_the_tokens_of_common_words_are_kept(self):
        texts = ['a', ' cat', ' zzgt', '猫', '\u043a\u043e', ',', ' Cat', 'です']
        pieces = [text.encode() for text in texts] + [b'\xe5\x98', b'\xd0']
        pieces += [b''] * (max(SPECIAL.values()) + 1 - len(pieces))
        # As if other tokens were Cyrillic.
        pieces = [piece or b'\xd0' for piece in pieces]
        written = {'cat': [0], ' cat': [1], 'Cat': [0], ' Cat': [6]}
        kept = kept_tokens(pieces, ['cat'], lambda form: written[form])
        self.assertEqual(kept, [0, 1, 3, 5, 6, 8, *sorted(SPECIAL.values())])


class Errors(unittest.TestCase):
    def test_edits_are_the_fewest_changes(self):
        self.assertEqual(edit_distance('abcd', 'abd'), 1)
        self.assertEqual(edit_distance('', 'ab'), 2)
        self.assertEqual(edit_distance('kitten', 'sitting'), 3)

    def test_repetitions_and_blanks_collapse(self):
        scores = torch.eye(4)[[0, 1, 1, 0, 1, 2, 2, 3]]
        table = network.SPELLINGS['eng']
        self.assertEqual(greedy(table, scores), table.decode([1, 1, 2, 3]))

    def test_letters_of_a_text(self):
        self.assertEqual(''.join(letters("It’s 5 o'clock, Mr. Li")), "IT'S_O'CLOCK_MR_LI")


if __name__ == '__main__':
    unittest.main()
