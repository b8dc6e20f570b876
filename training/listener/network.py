"""The listener: Whisper base's encoder, forked above its lower layers, with heads for CTC.

The lower layers stay as published and are computed once. Above them the published layers feed
Whisper's own decoder, and a tuned copy feeds the heads: onsets and rimes with tone of Cantonese and
Mandarin (training/acoustic/labels.py), letters of English, and the language.
"""

import copy
import os
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../acoustic'))

from labels import LANGUAGES, Language  # noqa: E402
from model import frame_mask, language_scores  # noqa: E402
from whisper import WIDTH, load_encoder  # noqa: E402

LETTERS = list("_ABCDEFGHIJKLMNOPQRSTUVWXYZ'")  # _ is the space between words
SPELLINGS = {
    'yue': LANGUAGES['yue'],
    'cmn': LANGUAGES['cmn'],
    'eng': Language('eng', LETTERS, [], 0, None),
}
SHARED_LAYERS = 3


class Listener(nn.Module):
    """`published` is the encoder of `model.bin`; only what `tuned` names is trained."""

    def __init__(self, path, shared=SHARED_LAYERS):
        super().__init__()
        self.published, self.shared = load_encoder(path).requires_grad_(False), shared
        self.layers = copy.deepcopy(self.published.layers[shared:]).requires_grad_(True)
        self.norm = copy.deepcopy(self.published.norm).requires_grad_(True)
        self.heads = nn.ModuleDict(
            {name: nn.Linear(WIDTH, table.joint_size) for name, table in SPELLINGS.items()}
        )
        self.language = nn.Linear(WIDTH, len(SPELLINGS))

    def tuned(self):
        """{name: parameter} that training changes."""
        return {name: p for name, p in self.named_parameters() if not name.startswith('published.')}

    def tuned_state(self):
        return {name: p.detach().clone() for name, p in self.tuned().items()}

    def load_tuned(self, state):
        own = self.tuned()
        if own.keys() != state.keys():
            raise SystemExit('The checkpoint has other parameters than this network.')
        with torch.no_grad():
            for name, parameter in own.items():
                parameter.copy_(state[name])

    def encode(self, mels, frames=None):
        """[B, T, WIDTH] of log mels; `frames` are the frames with sound of each row."""
        with torch.no_grad():
            x = self.published.enter(mels)
            mask = None if frames is None else frame_mask(frames, x.shape[1]).bool()[:, None, None]
            for layer in self.published.layers[: self.shared]:
                x = layer(x, mask)
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)

    def language_scores(self, encoded, frames):
        """[B, languages] of what `encode` gives."""
        return language_scores(self.language(encoded).transpose(1, 2), frames)

    def forward(self, mels, language):
        """Joint log-probabilities [B, T, symbols] of one language."""
        return F.log_softmax(self.heads[language](self.encode(mels)), -1)
