"""Greedy CTC decoding and syllable error rates."""
import torch

from augment import plain
from batches import test_batches
from labels import LANGUAGES
from model import joint


def edit_distance(expected, recognized):
    row = list(range(len(recognized) + 1))
    for i, a in enumerate(expected, 1):
        before, row[0] = row[:], i
        for j, b in enumerate(recognized, 1):
            row[j] = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
    return row[-1]


def greedy(language, log_probabilities):
    """Units of one utterance's joint log-probabilities [T, joint_size]."""
    best = torch.unique_consecutive(log_probabilities.argmax(1)).tolist()
    return language.decode([i for i in best if i])


def decoded_spelling(language, units):
    """Units in the spelling of `Language.decode`, with the model's rimes (Mandarin `zhir4` for
    zhi4)."""
    return language.decode(language.encode(units))


class ErrorCount:
    """Accumulates edits with and without tone."""

    def __init__(self):
        self.total = self.toned = self.toneless = 0
        self.examples = []

    def add(self, expected, recognized, has_tones=True):
        self.total += len(expected)
        self.toned += edit_distance(expected, recognized)
        if has_tones:
            self.toneless += edit_distance([s[:-1] for s in expected], [s[:-1] for s in recognized])
        if len(self.examples) < 3:
            self.examples.append(' '.join(expected) + ' > ' + ' '.join(recognized))

    def __str__(self):
        n = max(1, self.total)
        toned, toneless = 100 * self.toned / n, 100 * self.toneless / n
        return f'{toned:.1f} % (without tone {toneless:.1f} %) of {self.total}'


@torch.no_grad()
def evaluate(model, store, rows, language='yue'):
    """ErrorCount of cached recordings."""
    model.eval()
    count, table = ErrorCount(), LANGUAGES[language]
    for batch in test_batches(rows):
        features = plain(store, batch).to(next(model.parameters()).device)
        scores = joint(table, *model(features, language, batch['frames']))
        for b, units in enumerate(batch['units']):
            count.add(
                decoded_spelling(table, units),
                greedy(table, scores[b, : batch['frames'][b]]),
                table.tones > 0,
            )
    return count
