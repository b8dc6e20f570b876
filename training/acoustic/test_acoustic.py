"""Tests of the training code. usage: python3 -m unittest (in this folder)"""
import os
import random
import sys
import tempfile
import unittest

import numpy as np
import torch
import torch.nn as nn

from augment import reverberate
from export import Served
from frontend import Frontend, normalise, speech_extent, tonal
from labels import CMN_RIMES, LANGUAGES, YUE_ONSETS, YUE_RIMES, split_jyutping, split_pinyin
from make_recordings import is_test_learner, majority_phones
from make_synthetic import mnemonics, plain_phones
from model import (
    AcousticModel,
    frame_count,
    joint,
    language_scores,
    model_of,
    pack,
    product,
    read_weights,
)
from narrow import measure, narrow
from phones import shared_targets
from score import decoded_spelling, edit_distance
from store import Extractor
from texts import is_held_out, romanise, with_sandhi
from voice import tables, warp_matrices

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../gpu'))

import extract  # noqa: E402


def pulses(f0_hz, seconds=1.0):
    """A pulse train with changing pitch, [samples] at 16 kHz."""
    phase = np.cumsum(np.broadcast_to(f0_hz, int(16000 * seconds)) / 16000)
    return torch.tensor(np.diff(np.floor(phase), prepend=0) * 0.3, dtype=torch.float32)


class Labels(unittest.TestCase):
    def test_every_jyutping_syllable_survives_encoding(self):
        table = LANGUAGES['yue']
        for onset in [''] + YUE_ONSETS:
            for rime in YUE_RIMES:
                syllable = f'{onset}{rime}3'
                if rime in ('m', 'ng') and onset not in ('', 'h'):
                    continue
                self.assertEqual(table.decode(table.encode([syllable])), [syllable])
                self.assertTrue(shared_targets('yue', [syllable]))

    def test_syllabic_nasals_are_rimes(self):
        self.assertEqual(split_jyutping('ng5'), ('', 'ng', 5))
        self.assertEqual(split_jyutping('hm2'), ('h', 'm', 2))
        self.assertIsNone(split_jyutping('hello'))

    def test_pinyin_spelling_rules(self):
        for spelt, parts in (
            ('yuan2', ('', 'van', 2)),
            ('wei4', ('', 'ui', 4)),
            ('you3', ('', 'iu', 3)),
            ('shi4', ('sh', 'ir', 4)),
            ('ju1', ('j', 'v', 1)),
            ('zi', ('z', 'iz', 5)),
            ('lv4', ('l', 'v', 4)),
            ('yi1', ('', 'i', 1)),
        ):
            self.assertEqual(split_pinyin(spelt), parts)
            self.assertIn(parts[1], CMN_RIMES)

    def test_held_out_rule_ignores_spaces_and_takes_one_in_fifty(self):
        self.assertEqual(is_held_out('佢 話 根本'), is_held_out('佢話根本'))
        share = np.mean([is_held_out(f'句子{i}') for i in range(20000)])
        self.assertAlmostEqual(share, 0.02, delta=0.005)

    def test_romanise_takes_the_longest_word(self):
        lexicon = {'銀': ['ngan4'], '行': ['hang4'], '銀行': ['ngan4', 'hong4']}
        self.assertEqual(romanise('銀行行', lexicon), ['ngan4', 'hong4', 'hang4'])
        self.assertIsNone(romanise('銀x', lexicon))


class Languages(unittest.TestCase):
    def test_pinyin_is_compared_in_the_spelling_of_the_labels(self):
        self.assertEqual(
            decoded_spelling(LANGUAGES['cmn'], ['zhi4', 'yuan2', 'you3']), ['zhir4', 'van2', 'iu3']
        )

    def test_a_third_tone_before_another_is_spoken_as_a_second(self):
        self.assertEqual(
            with_sandhi(['hen3', 'hao3', 'mai3', 'de5']), ['hen2', 'hao2', 'mai3', 'de5']
        )

    def test_english_is_synthesized_from_the_phones_of_its_labels(self):
        words = [['DH', 'AH0'], ['W', 'AO1', 'T', 'ER0']]
        self.assertEqual(plain_phones(words), ['DH', 'AX', 'W', 'AO', 'T', 'ER'])
        self.assertEqual(mnemonics(words, random.Random(1)).split(), ['[[D@]]', "[[w'O:t#3]]"])

    def test_the_majority_of_raters_decides_and_phones_most_missed_are_dropped(self):
        word = {'phones': ['B EH R', 'B (EH) R', 'B (EH) R', 'B {EH} R', 'B (EH) R']}
        self.assertEqual(majority_phones([word]), [['B'], ['R']])

    def test_about_one_learner_in_five_is_held_out(self):
        aside = sum(is_test_learner(f'{number:04d}') for number in range(2000))
        self.assertTrue(340 < aside < 460, aside)


class Sound(unittest.TestCase):
    def test_pitch_is_found_from_low_male_voices_to_children(self):
        frontend = Frontend()
        for f0_hz in (75, 110, 180, 260, 400):
            with torch.no_grad():
                log2_f0, voicing = frontend.pitch(pulses(f0_hz)[None])
            self.assertLess(np.abs(log2_f0[0, 10:-10].numpy() - np.log2(f0_hz)).max() * 12, 0.5)
            self.assertGreater(voicing[0, 10:-10].min(), 0.3)

    def test_features_do_not_depend_on_gain(self):
        frontend, sound = Frontend(), pulses(120)[None] + torch.randn(1, 16000) * 0.01
        with torch.no_grad():
            self.assertLess((frontend(sound) - frontend(sound * 0.02)).abs().max(), 0.05)

    def test_speech_extends_from_the_first_to_the_last_sound(self):
        sound, hops = pulses(150)[None], 100
        silence = torch.zeros(1, 16000)
        power = Frontend().fine_power(torch.cat([silence, sound, silence, sound, silence], 1))
        extent = speech_extent(power)[0]
        self.assertTrue((extent[hops : 4 * hops] > 0.99).all())  # the pause between two words, too
        self.assertTrue(
            (extent[: hops - 20] < 0.01).all() and (extent[4 * hops + 20 :] < 0.01).all()
        )
        self.assertTrue((speech_extent(Frontend().fine_power(torch.randn(1, 16000))) > 0.99).all())

    def test_silence_and_very_short_sound_give_finite_frames(self):
        for language in LANGUAGES:
            served = Served(AcousticModel(), language).eval()
            for samples in (1, 800, 4800, 16000):
                with torch.no_grad():
                    outputs = served(torch.zeros(1, samples))
                for output in outputs:
                    self.assertTrue(torch.isfinite(output).all())
                    self.assertEqual(output.shape[1], frame_count(samples // 160 + 1))


class Packed(unittest.TestCase):
    def test_features_of_several_recordings_are_those_of_each(self):
        torch.manual_seed(1)
        sounds = [
            pulses(f0_hz, seconds).numpy()
            for f0_hz, seconds in ((100, 0.4), (180, 1.0), (300, 0.7))
        ]
        as_integers = [(sound * 32767).astype('<i2') for sound in sounds]
        alone, rng = Extractor(), np.random.default_rng(1)
        for sound, (power, pitch) in zip(sounds, extract.Extractor('cpu')(as_integers)):
            expected_power, expected_pitch = alone(sound, rng)
            self.assertEqual(power.shape, expected_power.shape)
            self.assertLess(np.abs(power - expected_power).mean(), 0.05)
            voiced = expected_pitch[:, 1] > 0.3
            self.assertLess(np.abs(pitch[voiced, 0] - expected_pitch[voiced, 0]).max(), 0.02)

    def test_batches_have_a_limited_size(self):
        items = [(np.zeros(size, '<i2'),) for size in (*[1600] * 300, *[160000] * 20)]
        found = list(extract.batches(items))
        self.assertEqual(sum(len(batch) for batch in found), 320)
        self.assertLessEqual(max(len(batch) * len(batch[-1][0]) for batch in found), 128 * 160000)


class Network(unittest.TestCase):
    def test_joint_probabilities_sum_to_one(self):
        model = AcousticModel().eval()
        with torch.no_grad():
            for name in ('yue', 'cmn', 'eng'):
                scores = joint(LANGUAGES[name], *model(torch.randn(2, 31, 68), name))
                self.assertEqual(scores.shape[2], LANGUAGES[name].joint_size)
                self.assertTrue(torch.allclose(scores.exp().sum(2), torch.ones(2, 11), atol=1e-4))

    def test_a_convolution_as_a_product_is_the_same(self):
        for conv in (
            nn.Conv1d(6, 8, 5, padding=4, dilation=2),
            nn.Conv1d(6, 8, 9, stride=3, padding=4, bias=False),
            nn.Conv1d(6, 8, 1),
        ):
            for length in (1, 7, 31):
                x = torch.randn(2, 6, length)
                self.assertTrue(torch.allclose(product(conv, x), conv(x), atol=1e-5))

    def test_padding_frames_do_not_affect_gates(self):
        model = AcousticModel(channels=16, blocks=2, gates=True).eval()
        for gate in model.encoder.gates:
            nn.init.normal_(gate.excite.weight)
        features = torch.randn(1, 60, 68)
        # The blocks must not carry padding into the utterance.
        for block in model.encoder.blocks:
            block.conv.weight.data[:, :, 3:] = 0
        model.encoder.entry.weight.data[:, :, 5:] = 0
        padded = torch.cat([features, torch.randn(1, 30, 68)], 1)
        with torch.no_grad():
            alone = model.encoder(features, torch.tensor([20]))
            self.assertTrue(
                torch.allclose(
                    model.encoder(padded, torch.tensor([20]))[:, :, :20], alone, atol=1e-5
                )
            )
            self.assertFalse(torch.allclose(model.encoder(padded)[:, :, :20], alone, atol=1e-3))

    def test_a_narrowed_model_has_the_same_outputs_at_full_rank_and_can_be_loaded_and_served(self):
        torch.manual_seed(1)
        model = AcousticModel(channels=32, blocks=2, gates=True)
        features = torch.randn(4, 90, 68)
        for _ in range(20):
            model.encoder(features)  # statistics of batch norms
        model.eval()
        for gate in model.encoder.gates:
            nn.init.normal_(gate.excite.weight, std=0.1)
        with torch.no_grad():
            before = model(features)
            batch = {'frames': torch.tensor([30, 30, 30, 25])}
            covariances = measure(model, [batch], lambda _: features)
            ranks = [
                narrow(block, covariance, 1.0)
                for block, covariance in zip(model.encoder.blocks, covariances)
            ]
            self.assertEqual(ranks, [32, 32])
            loaded = model_of(model.state_dict()).eval()
            for expected, scores in zip(before, loaded(features)):
                self.assertTrue(torch.allclose(scores, expected, atol=1e-3))
            sound = pulses(120)[None]
            symbol, tone, _, _ = Served(loaded, 'yue').eval()(sound)
            frontend = Frontend()
            track = frontend.pitch(sound)
            own = torch.cat(
                [normalise(frontend.fine_power(sound) @ frontend.pool), tonal(*track)], 2
            )
            self.assertTrue(torch.allclose(symbol, loaded(own)[0], atol=1e-3))
        self.assertLess(
            narrow(
                AcousticModel(channels=32, blocks=1).eval().encoder.blocks[0],
                torch.diag(torch.arange(32.0).exp()).double(),
                0.9,
            ),
            32,
        )

    def test_packed_weights_are_those_of_the_exported_graph(self):
        model = AcousticModel(channels=16, blocks=1, gates=True)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'packed.pt')
            torch.save({'average': pack(model.state_dict())}, path)
            read = read_weights(path)
        model_of(read)
        for name, value in model.state_dict().items():
            self.assertTrue(
                torch.allclose(
                    read[name].float(), value.float(), atol=float(value.abs().max()) / 250
                ),
                name,
            )

    def test_padding_frames_do_not_affect_the_language(self):
        scores = torch.zeros(2, 3, 5)
        scores[0, 1, :2], scores[0, 2, 2:] = 1.0, 9.0  # frames after its end are padding
        self.assertEqual(language_scores(scores, torch.tensor([2, 5]))[0].tolist(), [0.0, 1.0, 0.0])

    def test_a_room_adds_a_decaying_tail(self):
        torch.manual_seed(3)
        power = torch.zeros(64, 40, 64)
        power[:, 5] = 1
        heard = reverberate(power, 3.0)
        self.assertTrue(torch.allclose(heard[:, :6], power[:, :6], atol=1e-5))
        tail = heard[:, 6:, 0]
        self.assertTrue((tail[:, 0] > 0.01).any())
        self.assertTrue((tail[:, :-1] - tail[:, 1:] > -1e-5).all())

    def test_voice_matrices_keep_power(self):
        blur = tables().blur
        self.assertTrue(
            torch.allclose(blur.sum(1), torch.ones(blur.shape[0], blur.shape[2]), atol=1e-4)
        )
        self.assertTrue(
            torch.allclose(
                warp_matrices(torch.tensor([0.8, 1.25])).sum(1), torch.ones(2, 128), atol=1e-4
            )
        )

    def test_edit_distance(self):
        self.assertEqual(edit_distance('abcd', 'acde'), 2)
        self.assertEqual(edit_distance('', 'ab'), 2)


if __name__ == '__main__':
    unittest.main()
