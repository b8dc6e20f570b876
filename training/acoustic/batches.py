"""Draws training utterances and lays them out as rows for augment.assemble.

Kinds: `espeak-yue`, `espeak-cmn`, `espeak-eng`, `eng` and `eng-native` (a cached utterance,
time-stretched), `single` and `single-cmn` (one recorded syllable), `joined` (recorded syllables
along a real sentence, shortened, overlapped, with declination), `phrase` (the same with a few
random syllables, so that sentence statistics do not help), `words` (a few recordings of one
Mandarin speaker in a row).
"""
import math
import random

import numpy as np
import torch

from labels import LANGUAGES
from model import frame_count
from phones import shared_targets


MONOTONE = 0.55  # semitones: voices below are monotone and teach no tones


LOWEST_VOICE, HIGHEST_VOICE = math.log2(85), math.log2(330)
# Octaves of formant shift per octave of pitch: men at 120 Hz and women at 220 Hz differ by 17 % in
# vocal tract length.
TRACT_PER_PITCH = 0.28


def registers(store, rows):
    """{speaker: median log2 F0} from at most 60 recordings each: the register, averaged over
    tones."""
    found = {}
    for row in rows:
        pitches = found.setdefault(row['speaker'], [])
        if len(pitches) < 60:
            pitch = store.pitch[row['start'] : row['start'] + row['frames']].float()
            voiced = pitch[pitch[:, 1] > 0.4, 0]
            if len(voiced) > 5:
                pitches.append(float(voiced.median()))
    return {
        speaker: float(np.median(pitches)) if pitches else 7.3 for speaker, pitches in found.items()
    }


def melodies(store, rows):
    """{speaker: standard deviation of log-F0 in semitones}, the median over utterances of at least
    four syllables."""
    spans = {}
    for row in rows:
        if len(row['units']) >= 4 and len(spans.setdefault(row['speaker'], [])) < 40:
            pitch = store.pitch[row['start'] : row['start'] + row['frames']].float()
            voiced = pitch[pitch[:, 1] > 0.4, 0]
            spans[row['speaker']].append(float(voiced.std()) * 12 if len(voiced) > 20 else 0.0)
    return {speaker: float(np.median(found)) if found else 0.0 for speaker, found in spans.items()}


class Layout:
    """Layout of one utterance: segments of cached frames on its own time line, in hops of 10 ms."""

    def __init__(self, language, lead):
        self.language, self.units, self.hops, self.parts = language, [], lead, []

    def add(self, row, hops, curve=1.0, used=1.0, overlap=0, pitch=(0.0, 0.0), gain=1.0):
        """Appends recording `row` lasting `hops`; source position = used * u ** curve. pitch:
        octaves at start, end."""
        begin = max(0, self.hops - overlap)
        u = np.arange(hops) / max(1, hops)
        source = row['start'] + (row['frames'] - 1) * used * u**curve
        weight = np.full(hops, gain, np.float32)
        if overlap:
            ramp = (np.arange(overlap) + 0.5) / overlap
            weight[:overlap] *= ramp[:hops]
            last = self.parts[-1]['weight']
            shared = min(overlap, len(last))
            last[-shared:] *= ramp[::-1][-shared:]
        self.parts.append(
            {
                'speaker': row['speaker'],
                'source': source,
                'weight': weight,
                'target': begin + np.arange(hops),
                'shift': np.linspace(pitch[0], pitch[1], hops),
                'last': np.full(hops, row['start'] + row['frames'] - 1),
            }
        )
        self.units += row['units']
        self.hops = begin + hops


class Sampler:
    """Endless batches from a store, drawn in the proportions of `mixture` (kind -> weight)."""

    def __init__(self, store, text_source, mixture, seed, hops_per_batch=3300):
        self.rng = np.random.default_rng(seed)
        self.store, self.text, self.hops_per_batch = store, text_source, hops_per_batch
        self.groups = {}
        for row in store.index:
            group = (
                f"espeak-{row['language']}" if row['speaker'].startswith('espeak') else row['store']
            )
            self.groups.setdefault(group, []).append(row)
        self.melody = melodies(store, self.groups.get('espeak-yue', []))
        for group in ('espeak-yue', 'espeak-cmn'):
            if group in self.groups:
                self.groups[group] = [
                    row
                    for row in self.groups[group]
                    if self.melody.get(row['speaker'], 0) > MONOTONE
                ]
        self.register = registers(store, store.index)
        self.syllables = {row['units'][0]: row for row in self.groups.get('kt-train', [])}
        self.names = list(self.syllables)
        self.groups['cmn-lone'] = [
            row for row in self.groups.get('cmn', []) if len(row['units']) == 1
        ]
        self.speakers = {}
        for row in self.groups.get('cmn', []):
            self.speakers.setdefault(row['speaker'], []).append(row)
        self.own_voice = 0.4
        self.mix(mixture)

    def mix(self, mixture):
        """Changes the proportions from now on."""
        self.kinds, weights = list(mixture), np.array(list(mixture.values()), float)
        self.chances = weights / weights.sum()

    def pick(self, items):
        return items[self.rng.integers(len(items))]

    def lead(self):
        return int(self.rng.integers(0, 30)) if self.rng.random() < 0.7 else 0

    def plain(self, group):
        row = self.pick(self.groups[group])
        out = Layout(row['language'], self.lead())
        out.add(row, max(8, int(row['frames'] / self.rng.uniform(0.72, 1.4))))
        return out

    def single(self, group, language):
        row = self.pick(self.groups[group])
        out = Layout(language, self.lead())
        out.add(
            row,
            max(10, int(row['frames'] * self.rng.uniform(0.45, 1.7))),
            curve=self.rng.uniform(0.9, 1.3),
        )
        return out

    def words(self):
        rows = self.speakers[self.pick(list(self.speakers))]
        out = Layout('cmn', self.lead())
        rate = self.rng.uniform(0.5, 1.1)
        for _ in range(int(self.rng.integers(1, 5))):
            row = self.pick(rows)
            hops = max(12, int(row['frames'] * rate * self.rng.uniform(0.85, 1.15)))
            out.add(
                row,
                hops,
                overlap=int(self.rng.integers(1, 5)) if out.parts else 0,
                gain=float(np.exp(self.rng.normal(0, 0.4))),
            )
        return out

    def joined(self, names, slowest):
        out = Layout('yue', self.lead())
        pace = self.rng.uniform(13, slowest)
        fall = self.rng.uniform(-0.02, 0.3)
        for i, name in enumerate(names):
            row = self.syllables.get(name) or self.syllables[self.pick(self.names)]
            stopped = name[-2:-1] in 'ptk'
            hops = int(
                np.clip(pace * self.rng.uniform(0.75, 1.3) * (0.8 if stopped else 1), 11, 60)
            )
            if i == len(names) - 1:
                hops = int(hops * self.rng.uniform(1, 1.6))
            overlap = int(self.rng.integers(1, 6)) if out.parts else 0
            if out.parts and self.rng.random() < 0.08:
                out.hops += int(self.rng.integers(8, 40))
                overlap = 0
            level = -fall * (i / max(1, len(names) - 1) - 0.5) + self.rng.normal(0, 0.035)
            out.add(
                row,
                hops,
                curve=self.rng.uniform(1.0, 1.45),
                used=self.rng.uniform(0.7, 0.96),
                overlap=overlap,
                pitch=(level, level - fall / max(1, len(names))),
                gain=float(np.exp(self.rng.normal(0, 0.5))),
            )
        return out

    def python_rng(self):
        return random.Random(int(self.rng.integers(2**31)))

    def draw(self, longest):
        """(layout, warp, pitch shift in octaves) of an utterance of a random kind."""
        kind = self.kinds[self.rng.choice(len(self.kinds), p=self.chances)]
        if kind == 'joined':
            layout = self.joined(self.text.draw(self.python_rng(), longest), 28)
        elif kind == 'phrase':
            layout = self.joined(
                [self.pick(self.names) for _ in range(self.rng.integers(2, 6))], 50
            )
        elif kind == 'words':
            layout = self.words()
        elif kind == 'single':
            layout = self.single('kt-train', 'yue')
        elif kind == 'single-cmn':
            layout = self.single('cmn-lone', 'cmn')
        else:
            layout = self.plain(kind)
        layout.hops += self.lead()
        return (layout, *self.voice(kind, layout))

    def voice(self, kind, layout):
        """(warp, pitch shift in octaves, pitch range) of another voice, or almost unchanged for
        some recordings.

        The new register is drawn from the whole human range independent of the old one, so that a
        man's syllables also become those of women and children. Formants follow the register,
        strictly for isolated syllables, whose level tones can only be identified relative to the
        voice.
        """
        speaker, lone = layout.parts[0]['speaker'], len(layout.units) < 3
        human = not kind.startswith('espeak')
        if human and self.rng.random() < self.own_voice * (1 if lone else 0.5):
            return (
                self.rng.uniform(0.97, 1.03),
                self.rng.normal(0, 0.02),
                self.rng.uniform(0.85, 1.15),
            )
        shift = self.rng.uniform(LOWEST_VOICE, HIGHEST_VOICE) - self.register[speaker]
        loose = 0.05 if lone and self.rng.random() < 0.85 else 0.12
        warp = float(np.clip(2 ** (TRACT_PER_PITCH * shift + self.rng.normal(0, loose)), 0.72, 1.5))
        spread = self.rng.uniform(0.85, 1.15) if lone else self.rng.uniform(0.6, 1.5)
        if kind in ('espeak-yue', 'espeak-cmn') and self.rng.random() < 0.75:
            # human pitch ranges are wider
            spread = float(np.clip(self.rng.uniform(1.6, 3.8) / self.melody[speaker], 0.8, 3.5))
        return warp, shift, spread

    def batches(self, longest_hops):
        """Yields batches of similar lengths from a pool of utterances; `longest_hops()` limits the
        length (curriculum)."""
        while True:
            limit = longest_hops()
            pool = [
                self.draw(4 if limit < 400 else 16)
                for _ in range(max(160, self.hops_per_batch // 20))
            ]
            pool = sorted((p for p in pool if p[0].hops <= limit), key=lambda p: p[0].hops)
            groups, current = [], []
            for item in pool:
                if current and item[0].hops * (len(current) + 1) > self.hops_per_batch:
                    groups.append(current)
                    current = []
                current.append(item)
            if len(current) > 3:
                groups.append(current)
            for i in self.rng.permutation(len(groups)):
                yield collate(groups[i])


def collate(items):
    """Batch of drawn utterances: row tensors, lengths, voice changes and targets grouped by
    language."""
    order = sorted(range(len(items)), key=lambda i: items[i][0].language)
    items = [items[i] for i in order]
    layouts = [item[0] for item in items]
    length = max(layout.hops for layout in layouts)
    rows = {}
    for key in ('source', 'weight', 'shift', 'last', 'target'):
        pieces = [
            part[key] + (b * length if key == 'target' else 0)
            for b, l in enumerate(layouts)
            for part in l.parts
        ]
        rows[key] = torch.from_numpy(np.concatenate(pieces))
    rows = {
        key: value.long() if key in ('last', 'target') else value for key, value in rows.items()
    }
    rows['weight'], rows['shift'] = rows['weight'].float(), rows['shift'].float()
    hops = torch.tensor([layout.hops for layout in layouts])
    languages = [layout.language for layout in layouts]
    spans = {
        name: (languages.index(name), languages.count(name)) for name in sorted(set(languages))
    }
    targets = [LANGUAGES[layout.language].encode(layout.units) for layout in layouts]
    phones = [shared_targets(layout.language, layout.units) for layout in layouts]
    voice = torch.tensor([item[1:] for item in items], dtype=torch.float32)
    return {
        'rows': rows,
        'hops': hops,
        'frames': frame_count(hops),
        'spans': spans,
        'targets': targets,
        'phones': phones,
        'warp': voice[:, 0],
        'shift': voice[:, 1],
        'spread': voice[:, 2],
        'units': [layout.units for layout in layouts],
        'speaker': [layout.parts[0]['speaker'] for layout in layouts],
    }


def test_batches(rows, size=32):
    """Batches of unmodified cached recordings, shortest first."""
    rows = sorted(rows, key=lambda row: row['frames'])
    for i in range(0, len(rows), size):
        items = []
        for row in rows[i : i + size]:
            layout = Layout(row['language'], 0)
            layout.add(row, row['frames'])
            layout.parts[0]['source'] = row['start'] + np.arange(row['frames'], dtype=float)
            items.append((layout, 1.0, 0.0, 1.0))
        yield collate(items)
