"""Verification trials: windows of held-out speakers, compared in all pairs."""
import numpy as np
import torch
import torch.nn.functional as F

from features import fast_features


def windows(tracks, seconds, each=12):
    """(sounds [N, n], speakers [N], tables [N], recordings [N]): `each` windows per voice, spread
    over its track, mostly speech."""
    frames, rng = int(seconds * 50), np.random.default_rng(7)
    sounds, speakers, tables, recordings = [], [], [], []
    for number, row in enumerate(tracks.rows):
        bounds = [*row['cuts'], row['frames']]
        places = [
            (bounds[i] + at, i)
            for i in range(len(row['cuts']))
            for at in range(0, bounds[i + 1] - bounds[i] - frames + 1, frames)
        ]
        places = [
            p
            for p in places
            if tracks.active[row['start'] + p[0] : row['start'] + p[0] + frames].mean() > 0.6
        ]
        for index in sorted(rng.permutation(len(places))[:each]):
            start, recording = places[index]
            sounds.append(tracks.piece(row['start'] + start, frames))
            speakers.append(number)
            tables.append(row['table'])
            recordings.append(recording)
    return np.stack(sounds), np.array(speakers), np.array(tables), np.array(recordings)


@torch.no_grad()
def embed(model, sounds, batch=32):
    """Embeddings of unit length [N, D]; the model takes samples."""
    parts = [model(torch.from_numpy(sounds[i : i + batch])) for i in range(0, len(sounds), batch)]
    return F.normalize(torch.cat(parts)).cpu().numpy()


def of_network(net):
    """Wraps a network on features as a function of samples."""
    device = next(net.parameters()).device
    return lambda samples: net.eval()(fast_features(samples.to(device)))


def equal_error_point(same, different):
    """(equal error rate of same-speaker pairs below and different-speaker pairs above a threshold,
    that threshold)."""
    scores = np.concatenate([same, different])
    order = np.argsort(scores)
    is_same = np.concatenate([np.ones(len(same)), np.zeros(len(different))])[order]
    missed = np.cumsum(is_same) / max(1, len(same))
    accepted = 1 - np.cumsum(1 - is_same) / max(1, len(different))
    at = np.argmin(np.abs(missed - accepted))
    return float((missed[at] + accepted[at]) / 2), float(scores[order][at])


def equal_error(same, different):
    return equal_error_point(same, different)[0]


def equal_error_rates(model, sounds, speakers, tables, recordings):
    """{name: EER} over pairs within each corpus, and over all pairs; `other recordings` excludes
    pairs of one recording."""
    vectors = embed(model, sounds)
    scores = vectors @ vectors.T
    upper = np.triu(np.ones_like(scores, bool), 1)
    same = speakers[:, None] == speakers[None]
    out = {}
    for table in sorted(set(tables)):
        inside = upper & (tables[:, None] == table) & (tables[None] == table)
        out[table] = equal_error(scores[inside & same], scores[inside & ~same])
        other = inside & same & (recordings[:, None] != recordings[None])
        if other.any():
            out[table + ', other recordings'] = equal_error(scores[other], scores[inside & ~same])
    out['all'], out['cosine at the equal error of all'] = equal_error_point(
        scores[upper & same], scores[upper & ~same]
    )
    return out
