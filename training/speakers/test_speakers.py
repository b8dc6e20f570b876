"""Tests of the training code. usage: python3 -m unittest (in this folder)"""
import os
import pickle
import tempfile
import unittest
import zipfile

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper

from continued import continued_embedding
from export_ge2e import HIDDEN, LAYERS, MELS as POWER_MELS, Ge2e, mel_bank, read_weights, slaney_mel
from export_ge2e import export as export_ge2e
from export_segmentation import ArraysOnly, Ignored, Segmentation
from export_segmentation import export as export_segmentation
from export_segmentation import read_weights as read_whisperx
from export_models import export
from features import FEATURES, FORMANTS, MELS, SAME, Bands, fast_features
from mixtures import Talk
from networks import EMBEDDING, ActivityNet, EmbeddingNet, Margin
from people import is_held_out, is_kept_aside
from rooms import RESPONSES, energy, record, scaled
from served import KINDS, ServedActivity, ServedEmbedding, from_onnx
from sounds import FRAME, active_frames, trimmed
from train_activity import figures
from train_embedding import Voices, hide_patches, warps
from trials import equal_error


def bursts(seconds_on, seconds_off, rounds, rng=np.random.default_rng(1)):
    """Intermittent noise over a faint floor."""
    on = rng.standard_normal(int(seconds_on * 16000)) * 0.1
    off = rng.standard_normal(int(seconds_off * 16000)) * 1e-4
    return np.concatenate([off, *([on, off] * rounds)]).astype(np.float32)


class FakeTracks:
    """Five voices of ten seconds, alternating a second of speech and half a second of pause;
    samples are the voice's number."""

    def __init__(self):
        self.rows = [
            {
                'table': 'eng-speakers' if i < 3 else 'eng-learners-train',
                'speaker': str(i),
                'speed': 1,
                'start': 500 * i,
                'frames': 500,
                'cuts': [0],
            }
            for i in range(5)
        ]
        self.active = np.tile(np.arange(75) < 50, 34)[:2500]

    @property
    def samples(self):
        """Those of `piece`, from 100 for the first frame on."""
        return (np.repeat(self.active, FRAME) * (100 + np.repeat(np.arange(2500), FRAME))).astype(
            np.int16
        )

    def piece(self, first, frames):
        return np.repeat(self.active[first : first + frames], FRAME).astype(np.float32)


def random_net(net):
    """A network with batch norm statistics, as after training."""
    torch.manual_seed(2)
    net = net()
    for module in net.modules():
        if isinstance(module, torch.nn.BatchNorm1d):
            module.running_mean.normal_(0, 0.3)
            module.running_var.uniform_(0.5, 2)
            module.weight.data.uniform_(0.5, 1.5)
            module.bias.data.normal_(0, 0.2)
    return net.eval()


class People(unittest.TestCase):
    def test_the_split_matches_that_of_the_evaluation(self):
        # The hash of 'eng-learners-train/0001' begins with e3110fd3.
        self.assertEqual(
            [s for s in ('0001', '0005', '0006', '0070') if is_held_out('eng-learners-train', s)],
            ['0001', '0070'],
        )
        aside = [i for i in range(7000) if is_held_out('eng-speakers', str(i))]
        self.assertTrue(900 < len(aside) < 1100, len(aside))

    def test_held_out_speakers_are_excluded_from_training(self):
        for i in range(500):
            for table in ('eng-speakers', 'eng-learners-train'):
                self.assertLessEqual(
                    is_held_out(table, f'{i:04d}'), is_kept_aside(table, f'{i:04d}')
                )


class Sound(unittest.TestCase):
    def test_speech_is_separated_from_pauses_within_two_frames(self):
        active = active_frames(bursts(0.6, 0.4, 3))
        at = (np.arange(len(active)) * 0.02) % 1.0
        truth = at > 0.4
        self.assertLess(np.mean(active[:150] != truth[:150]), 0.08)

    def test_closures_inside_a_word_are_speech(self):
        self.assertTrue(active_frames(bursts(0.3, 0.06, 4))[6:60].all())

    def test_silence_has_no_voice(self):
        self.assertIsNone(trimmed(np.zeros(32000, np.float32)))

    def test_recording_keeps_length_and_balance(self):
        torch.manual_seed(1)
        tracks = torch.randn(2, 3, 20000) * 0.05
        out = record(tracks, torch.randn(3, 20000) * 0.05)
        self.assertEqual(out.shape, (3, 20000))
        self.assertTrue(torch.isfinite(out).all())
        self.assertTrue(
            torch.allclose(RESPONSES.pow(2).sum(1), torch.ones(len(RESPONSES)), atol=1e-4)
        )

    def test_noise_has_the_requested_ratio(self):
        speech, noise = (torch.fft.rfft(torch.randn(2, 4096) * gain) for gain in (0.1, 3.0))
        made = scaled(noise, speech, 4096, torch.tensor([10.0, 99.0]))
        ratio = 10 * torch.log10(energy(speech, 4096) / energy(made, 4096))
        self.assertAlmostEqual(float(ratio[0]), 10, places=3)
        self.assertEqual(float(made[1].abs().max()), 0)


class Crops(unittest.TestCase):
    def test_a_crop_is_of_its_voice_and_mostly_speech(self):
        torch.manual_seed(6)
        voices = Voices(FakeTracks())
        ids = torch.arange(5).repeat(40)
        crops = voices.crops(ids, 60).reshape(200, 60, FRAME)[:, :, 0] * 32768
        spoken = crops > 0
        self.assertGreater(spoken.float().mean(1).min(), 0.45)
        voice = ((crops - 100) / 500).floor()
        self.assertTrue((voice[spoken] == ids[:, None].expand(-1, 60)[spoken]).all())

    def test_a_voice_with_less_sound_is_repeated(self):
        voices = Voices(FakeTracks())
        crop = voices.crops(torch.tensor([1]), 750).reshape(750, FRAME)
        self.assertTrue((crop[:250] == crop[500:]).all())

    def test_only_a_part_of_some_is_interrupted(self):
        torch.manual_seed(7)
        voices = Voices(FakeTracks())
        sounds = torch.randn(300, 60 * FRAME) * 0.1
        changed = (voices.interrupted(sounds) != sounds).float().mean(1)
        self.assertTrue(0.2 < (changed > 0).float().mean() < 0.4)
        self.assertLess(changed.max(), 0.51)

    def test_formants_of_different_voices_do_not_meet(self):
        lower, same, higher = (
            warps(torch.zeros(500, dtype=torch.long), torch.tensor(voice)) for voice in (-1, 0, 1)
        )
        self.assertLess(lower.max(), same.min())
        self.assertLess(same.max(), higher.min())
        self.assertTrue(
            0 <= warps(torch.zeros(500), -2).min()
            and warps(torch.zeros(500), 2).max() < len(FORMANTS)
        )


class Conversations(unittest.TestCase):
    def test_labels_count_audible_speakers(self):
        sounds, count, activity = Talk(FakeTracks(), 3).conversation(1500, people=3)
        self.assertEqual(sounds.shape, (2, 1500 * FRAME))
        self.assertEqual(activity.shape, (3, 1501))
        self.assertTrue((activity.sum(0) == count).all())
        loud = np.abs(sounds).max(0)[: 1500 * FRAME].reshape(1500, FRAME)[:, 100:200].max(1) > 0.01
        self.assertLess(np.mean(loud != (count[:1500] > 0)), 0.04)

    def test_some_turns_overlap_and_most_do_not(self):
        count = np.concatenate(
            [Talk(FakeTracks(), seed).conversation(1000, people=2)[1] for seed in range(12)]
        )
        self.assertTrue(0.02 < np.mean(count > 1) < 0.4, np.mean(count > 1))

    def test_one_speaker_never_overlaps(self):
        self.assertLessEqual(Talk(FakeTracks(), 5).conversation(1000, people=1)[1].max(), 1)


class Networks(unittest.TestCase):
    def test_training_and_serving_have_the_same_features(self):
        sound = torch.randn(2, 12345) * 0.03
        self.assertLess((Bands()(sound) - fast_features(sound)).abs().max(), 1e-3)

    def test_other_formants_move_the_envelope_and_not_the_harmonics(self):
        # A voice of 200 Hz with one resonance at 1.5 kHz.
        time = np.arange(16000) / 16000
        sound = sum(
            np.cos(2 * np.pi * hz * time) / (1 + ((hz - 1500) / 150) ** 2)
            for hz in range(200, 7800, 200)
        )
        sounds = torch.tensor(sound * 0.1, dtype=torch.float32)[None].repeat(3, 1)
        features = fast_features(sounds, torch.tensor([SAME - 10, SAME, SAME + 10])).mean(1)
        peak = features[:, :MELS].argmax(1)
        self.assertEqual(FORMANTS[SAME], 1)
        self.assertTrue(peak[0] < peak[1] < peak[2], peak)
        self.assertLess((features[:, MELS:] - features[1, MELS:]).abs().max(), 0.3)

    def test_training_continues_from_an_exported_file(self):
        sound = torch.randn(4, 24000) * 0.05
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'embedding')
            export('embedding', ServedEmbedding(random_net(EmbeddingNet)).eval(), path)
            net, served = continued_embedding(path, fast_features(sound)), from_onnx(
                'embedding', path
            )
        with torch.no_grad():
            self.assertLess(
                (F.normalize(net(fast_features(sound))) - served(sound)).abs().max(), 1e-3
            )

    def test_a_hidden_patch_is_one_band_and_one_time(self):
        torch.manual_seed(8)
        hidden = hide_patches(torch.ones(200, 120, FEATURES)) == 0
        some = hidden.any(2).any(1)
        self.assertTrue(0.3 < some.float().mean() < 0.5)
        bands, times = hidden[some].all(1).sum(1), hidden[some].all(2).sum(1)
        self.assertTrue(1 <= bands.min() and bands.max() == 7)
        self.assertTrue(1 <= times.min() and times.max() == 11)

    def test_gain_does_not_matter(self):
        sound = torch.randn(1, 16000) * 0.1
        self.assertLess((fast_features(sound) - fast_features(sound * 0.05)).abs().max(), 0.05)

    def test_folding_changes_nothing(self):
        sound = torch.randn(3, 16000) * 0.05
        with torch.no_grad():
            net = random_net(EmbeddingNet)
            served = ServedEmbedding(net)(sound)
            self.assertLess((served - F.normalize(net(fast_features(sound)))).abs().max(), 1e-3)
            net = random_net(ActivityNet)
            self.assertLess(
                (ServedActivity(net)(sound) - torch.softmax(net(fast_features(sound)), 2))
                .abs()
                .max(),
                1e-3,
            )

    def test_shapes_of_the_contract_down_to_silence(self):
        embedding, activity = (
            ServedEmbedding(random_net(EmbeddingNet)).eval(),
            ServedActivity(random_net(ActivityNet)).eval(),
        )
        for count in (1, 320, 6400, 24000, 320000):
            with torch.no_grad():
                vector, found = embedding(torch.zeros(2, count)), activity(torch.zeros(1, count))
            self.assertEqual(vector.shape, (2, EMBEDDING))
            self.assertTrue(torch.allclose(vector.norm(dim=1), torch.ones(2), atol=1e-3))
            self.assertEqual(found.shape, (1, count // 320 + 1, 3))
            self.assertTrue(torch.allclose(found.sum(2), torch.ones(1, 1), atol=1e-4))

    def test_a_shipped_file_holds_the_network_up_to_rounding(self):
        sound = torch.randn(2, 24000) * 0.05
        with tempfile.TemporaryDirectory() as folder:
            for kind, (net, served) in KINDS.items():
                model, path = served(random_net(net)).eval(), os.path.join(folder, kind)
                export(kind, model, path)
                with torch.no_grad():
                    self.assertLess((from_onnx(kind, path)(sound) - model(sound)).abs().max(), 0.05)

    def test_a_margin_makes_the_task_harder(self):
        torch.manual_seed(4)
        margin, vectors, ids = Margin(20), torch.randn(8, EMBEDDING), torch.arange(8)
        self.assertGreater(
            float(margin(vectors, ids, 0.25)[0]), float(margin(vectors, ids, 0.0)[0])
        )


class Encoder(unittest.TestCase):
    """The GE2E encoder; the weights are random, because the wheel is not in this repository."""

    def encoder(self):
        torch.manual_seed(3)
        weights = {
            'lstm.' + name: value
            for name, value in torch.nn.LSTM(POWER_MELS, HIDDEN, LAYERS).state_dict().items()
        }
        linear = torch.nn.Linear(HIDDEN, HIDDEN).state_dict().items()
        return Ge2e({**weights, **{'linear.' + name: value for name, value in linear}}).eval()

    def test_the_mel_scale_is_that_of_slaney(self):
        np.testing.assert_allclose(slaney_mel(np.array([0, 500, 1000, 6400])), [0, 7.5, 15, 42])
        # Triangles of unit area, sampled every 40 Hz.
        self.assertLess(np.abs(mel_bank().sum(0).numpy()[8:] * 40 - 1).max(), 0.1)

    def test_level_does_not_matter_and_the_length_is_one(self):
        sound = torch.from_numpy(bursts(0.2, 0.1, 4))[None]
        with torch.no_grad():
            loud, quiet = self.encoder()(sound), self.encoder()(sound * 0.03)
        self.assertAlmostEqual(float(loud.norm()), 1, places=5)
        self.assertLess(float((loud - quiet).abs().max()), 1e-4)

    def test_the_file_holds_halves(self):
        model = self.encoder()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'ge2e.onnx')
            export_ge2e(model, path)
            graph = onnx.load(path).graph
        stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
        self.assertEqual(stored['linear.weight_half'].dtype, np.float16)
        self.assertLess(
            np.abs(stored['linear.weight_half'] - model.linear.weight.detach().numpy()).max(), 1e-3
        )
        self.assertEqual(sum(node.op_type == 'LSTM' for node in graph.node), LAYERS)

    def test_another_wheel_is_refused(self):
        with tempfile.NamedTemporaryFile() as file:
            with self.assertRaisesRegex(ValueError, 'not that of Resemblyzer'):
                read_weights(file.name)


class LocalSpeakers(unittest.TestCase):
    """pyannote/segmentation; the weights are random: the wheel is not in this repository."""

    def network(self):
        torch.manual_seed(4)
        bank = 'sincnet.conv1d.0.filterbank.'
        hz = torch.linspace(30, 7000, 41)[:, None]
        weights = {bank + 'low_hz_': hz[:-1], bank + 'band_hz_': hz[1:] - hz[:-1]}
        weights[bank + 'window_'] = torch.hamming_window(251, periodic=False)[:125]
        weights[bank + 'n_'] = 2 * np.pi * torch.arange(-125, 0)[None] / 16000
        parts = {'lstm': torch.nn.LSTM(60, 128, 4, bidirectional=True)}
        parts |= {'linear.0': torch.nn.Linear(256, 128), 'linear.1': torch.nn.Linear(128, 128)}
        parts |= {'classifier': torch.nn.Linear(128, 3)}
        parts |= {'sincnet.conv1d.1': torch.nn.Conv1d(80, 60, 5)}
        parts |= {'sincnet.conv1d.2': torch.nn.Conv1d(60, 60, 5)}
        parts |= {'sincnet.wav_norm1d': torch.nn.InstanceNorm1d(1, affine=True)}
        for i, width in enumerate((80, 60, 60)):
            parts[f'sincnet.norm1d.{i}'] = torch.nn.InstanceNorm1d(width, affine=True)
        for prefix, part in parts.items():
            weights |= {f'{prefix}.{name}': value for name, value in part.state_dict().items()}
        return Segmentation(weights).eval()

    def test_a_filter_passes_its_band(self):
        filters = self.network().filters[:, 0].numpy()
        gains = np.abs(np.fft.rfft(filters, 16000))
        for i in (5, 20, 35):
            low, high = np.linspace(30, 7000, 41)[i : i + 2] + (50, 100)
            self.assertTrue(low - 60 <= np.argmax(gains[i]) <= high + 60)
            self.assertTrue(low - 60 <= np.argmax(gains[i + 40]) <= high + 60)

    def test_level_does_not_matter(self):
        sound = torch.from_numpy(bursts(0.2, 0.1, 5))[None]
        with torch.no_grad():
            loud, half = self.network()(sound), self.network()(sound * 0.5)
        self.assertEqual(loud.shape[2], 3)
        self.assertLess(float((loud - half).abs().max()), 0.01)

    def test_the_file_holds_halves_but_whole_filters(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'segmentation.onnx')
            export_segmentation(self.network(), path)
            graph = onnx.load(path).graph
        stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
        self.assertEqual(stored['filters'].dtype, np.float32)
        self.assertEqual(stored['convolutions.0.weight_half'].dtype, np.float16)

    def test_code_in_the_file_of_weights_does_not_run(self):
        class Harmful:
            def __reduce__(self):
                return os.putenv, ('HARMED', 'yes')

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'weights.bin')
            with zipfile.ZipFile(path, 'w') as archive:
                archive.writestr('archive/data.pkl', pickle.dumps({'harm': Harmful()}))
            with zipfile.ZipFile(path) as archive:
                self.assertIsInstance(ArraysOnly(archive).load()['harm'], Ignored)

    def test_another_wheel_is_refused(self):
        with tempfile.NamedTemporaryFile() as file:
            with self.assertRaisesRegex(ValueError, 'not that of whisperx'):
                read_whisperx(file.name)


class Figures(unittest.TestCase):
    def test_equal_error_of_separable_and_of_random_scores(self):
        self.assertEqual(equal_error(np.array([0.8, 0.9]), np.array([0.1, 0.2, 0.3])), 0)
        rng = np.random.default_rng(1)
        self.assertAlmostEqual(equal_error(rng.random(3000), rng.random(9000)), 0.5, delta=0.03)

    def test_perfect_activity(self):
        classes = torch.tensor([[0, 1, 2, 1]])
        found = figures(F.one_hot(classes, 3).float(), classes)
        self.assertEqual(
            (found['frames right'], found['speech missed'], found['overlap recall at 0.5']),
            (1, 0, 1),
        )


if __name__ == '__main__':
    unittest.main()
