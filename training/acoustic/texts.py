"""Sentences to train on: the hold-out rule, HKCanCor, Common Voice romanised by the lexicon, random material."""
import hashlib
import os
import random
import re

from labels import split_jyutping


def is_held_out(sentence):
    """True for the one sentence in 50 that no model may train on: a pure function of its text without spaces."""
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
    """Jyutping by greedy longest match; None when a character has no reading."""
    out, i = [], 0
    while i < len(sentence):
        for size in range(min(longest, len(sentence) - i), 0, -1):
            found = lexicon.get(sentence[i:i + size])
            if found:
                out += found
                i += size
                break
        else:
            return None
    return out


def read_sentences(folder):
    """[(text, [syllables])] of both corpora, in file order; sentences with unknown readings are left out."""
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


class TextSource:
    """Draws syllable sequences for training: real sentences (never held-out ones), words, random syllables."""

    def __init__(self, folder, syllables):
        sentences = [(t, s) for t, s in read_sentences(folder) if not is_held_out(t)]
        self.sentences = [s for _, s in sentences if len(s) >= 2]
        self.words = list(read_lexicon(folder).values())
        self.syllables = syllables

    def draw(self, rng, longest=16):
        kind = rng.random()
        if kind < 0.72:
            out = rng.choice(self.sentences)
            if len(out) > longest:
                start = rng.randrange(len(out) - longest + 1)
                out = out[start:start + longest]
            return list(out)
        if kind < 0.90:
            return sum((rng.choice(self.words) for _ in range(rng.randint(1, 4))), [])[:longest]
        return [rng.choice(self.syllables) for _ in range(rng.randint(1, 7))]


def shuffled(items, seed):
    out = list(items)
    random.Random(seed).shuffle(out)
    return out
