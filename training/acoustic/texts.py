"""Sentences for training, one source per language: the hold-out rule, real sentences, words, random
material.

Every source has `draw(rng)` (units of a training utterance) and `held_out` ([(text, units)], never
drawn).
"""
import csv
import hashlib
import os
import random
import re

from labels import YUE_ONSETS, YUE_RIMES, split_jyutping, split_pinyin

EVERY_JYUTPING = [
    o + r + t
    for o in [''] + YUE_ONSETS
    for r in YUE_RIMES
    if r not in ('m', 'ng')
    for t in '123456'
]


def is_held_out(sentence):
    """True for one sentence in 50 that no model may train on, by a hash of its text without
    spaces."""
    digest = hashlib.sha256(re.sub(r'\s', '', sentence).encode('utf8')).digest()
    return int.from_bytes(digest[:4], 'big') % 50 == 0


def read_lexicon(folder):
    """{word: [syllables]} with the most frequent reading of each word or character."""
    best = {}
    with open(os.path.join(folder, 'text', 'rime-lexicon.tsv'), encoding='utf8') as lines:
        for line in lines:
            word, reading, *share = line.rstrip('\n').split('\t')
            weight = float(share[0].rstrip('%') or 0) if share and share[0] else 100.0
            syllables = reading.split()
            if all(split_jyutping(s) for s in syllables) and weight > best.get(word, (-1, None))[0]:
                best[word] = (weight, syllables)
    return {word: syllables for word, (_, syllables) in best.items()}


def romanise(sentence, lexicon, longest=8):
    """Jyutping by greedy longest match; None if a character has no reading."""
    out, i = [], 0
    while i < len(sentence):
        for size in range(min(longest, len(sentence) - i), 0, -1):
            found = lexicon.get(sentence[i : i + size])
            if found:
                out += found
                i += size
                break
        else:
            return None
    return out


def read_sentences(folder):
    """[(text, [syllables])] of both corpora in file order, without sentences with unknown
    readings."""
    out = []
    with open(os.path.join(folder, 'text', 'hkcancor.tsv'), encoding='utf8') as lines:
        next(lines)
        for line in lines:
            words, reading = line.rstrip('\n').split('\t')[:2]
            syllables = reading.split()
            if syllables and all(split_jyutping(s) for s in syllables):
                out.append((words, syllables))
    lexicon = read_lexicon(folder)
    with open(os.path.join(folder, 'text', 'commonvoice-yue.txt'), encoding='utf8') as lines:
        for line in lines:
            text = line.strip()
            syllables = romanise(re.sub(r'[\s，。？！、：；「」…,.?!]', '', text), lexicon)
            if syllables:
                out.append((text, syllables))
    return out


class CantoneseSource:
    """HKCanCor and Common Voice, romanized by the lexicon; words of the lexicon; random
    syllables."""

    def __init__(self, folder, syllables=EVERY_JYUTPING):
        sentences = read_sentences(folder)
        self.held_out = [(t, s) for t, s in sentences if is_held_out(t)]
        self.sentences = [s for t, s in sentences if not is_held_out(t) and len(s) >= 2]
        self.words = list(read_lexicon(folder).values())
        self.syllables = syllables

    def draw(self, rng, longest=16):
        kind = rng.random()
        if kind < 0.72:
            out = rng.choice(self.sentences)
            if len(out) > longest:
                start = rng.randrange(len(out) - longest + 1)
                out = out[start : start + longest]
            return list(out)
        if kind < 0.90:
            return sum((rng.choice(self.words) for _ in range(rng.randint(1, 4))), [])[:longest]
        return [rng.choice(self.syllables) for _ in range(rng.randint(1, 7))]


def with_sandhi(syllables):
    """Pinyin as spoken: a third tone before another becomes a second tone."""
    return [
        s[:-1] + '2' if s.endswith('3') and after.endswith('3') else s
        for s, after in zip(syllables, syllables[1:] + [''])
    ]


class MandarinSource:
    """Runs of one to six words of the recorded word list (`text`, `pinyin` TSV without header);
    random syllables."""

    def __init__(self, pinyin_tsv):
        words = []
        with open(pinyin_tsv, encoding='utf8') as lines:
            for line in lines:
                text, pinyin = line.rstrip('\n').split('\t')[:2]
                if pinyin and all(split_pinyin(s) for s in pinyin.split()):
                    words.append((text, pinyin.split()))
        self.words = [s for t, s in words if not is_held_out(t)]
        hidden = [(t, s) for t, s in words if is_held_out(t)]
        rng = random.Random(11)
        self.held_out = []
        for _ in range(400):
            picked = [rng.choice(hidden) for _ in range(rng.randint(2, 6))]
            self.held_out.append(
                (''.join(t for t, _ in picked), with_sandhi(sum((s for _, s in picked), [])))
            )
        self.syllables = sorted({s[:-1] for w in self.words for s in w})

    def draw(self, rng, longest=14):
        if rng.random() < 0.8:
            out = sum((rng.choice(self.words) for _ in range(rng.randint(1, 6))), [])[:longest]
        else:
            out = [
                rng.choice(self.syllables) + rng.choice('1234') for _ in range(rng.randint(1, 7))
            ]
        return with_sandhi(out)


class EnglishSource:
    """Sentences of the learners, words by frequency, rare words; units are CMU phones with stress
    digits."""

    def __init__(self, folder, words_tsv):
        self.phones, words, counts = {}, [], []
        with open(words_tsv, encoding='utf8') as lines:
            for line in lines:
                word, phones, count = line.rstrip('\n').split('\t')
                self.phones[word] = phones.split()
                words.append(word)
                # flattened: by raw frequency one word in ten would be "you"
                counts.append(int(count) ** 0.7)
        self.words, self.counts = words, counts
        with open(os.path.join(folder, 'eng-learners-train.tsv'), encoding='utf8') as lines:
            texts = sorted(
                {
                    row['text'].lower()
                    for row in csv.DictReader(lines, delimiter='\t', quoting=csv.QUOTE_NONE)
                }
            )
        known = [(t, t.split()) for t in texts if all(w in self.phones for w in t.split())]
        self.sentences = [words for t, words in known if not is_held_out(t)]
        self.held_out = [
            (t, [self.phones[w] for w in words]) for t, words in known if is_held_out(t)
        ]

    def draw(self, rng, longest=12):
        kind = rng.random()
        if kind < 0.4:
            words = rng.choice(self.sentences)
        elif kind < 0.8:
            words = rng.choices(self.words, self.counts, k=rng.randint(1, 8))
        else:
            words = [rng.choice(self.words) for _ in range(rng.randint(1, 5))]
        return [self.phones[w] for w in words[:longest]]


def shuffled(items, seed):
    out = list(items)
    random.Random(seed).shuffle(out)
    return out
