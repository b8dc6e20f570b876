"""Fits the speaker space of the embedding network: models/speakers/voices.json.

usage: fit_voices.py EMBEDDING.onnx OUT.json WINDOWS.json...     (WINDOWS from write-windows.ts)

Linear discriminant analysis: dimensions with unit variance within a speaker and maximum variance
between speakers. Held-out speakers, on which results are reported, must not be among them.
"""
import base64
import hashlib
import json
import sys

import numpy as np
from scipy.linalg import eigh

DIMENSIONS = 48
# of the within-speaker covariance towards an isotropic one, in units of its mean
SHRINKAGE = 0.5
FEWEST_WINDOWS = 5  # per speaker and conversation


def read(path):
    with open(path, encoding='utf8') as file:
        read = json.load(file)
    vectors = np.frombuffer(base64.b64decode(read['vectors']), '<f4').reshape(-1, read['size'])
    return vectors, read['speakers']


def statistics(sets):
    """Returns (mean, within-speaker covariance, between-speaker covariance) of vectors labeled
    with speakers."""
    means, deviations, counts = [], [], []
    for vectors, speakers in sets:
        names = np.array(speakers)
        for name in np.unique(names):
            own = vectors[names == name]
            if name and len(own) >= FEWEST_WINDOWS:
                means.append(own.mean(0))
                deviations.append(own - own.mean(0))
                counts.append(len(own))
    means, deviations = np.array(means), np.concatenate(deviations)
    within = deviations.T @ deviations / (len(deviations) - len(means))
    between = np.cov(means.T) - within / np.mean(counts)
    return means.mean(0), within, between


def main():
    network, out, *paths = sys.argv[1:]
    mean, within, between = statistics([read(path) for path in paths])
    within = within + SHRINKAGE * np.trace(within) / len(within) * np.eye(len(within))
    values, vectors = eigh((between + between.T) / 2, within)
    best = np.argsort(-values)[:DIMENSIONS]
    with open(network, 'rb') as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    encode = lambda numbers: base64.b64encode(
        np.ascontiguousarray(numbers, '<f4').tobytes()
    ).decode()
    result = {
        'embeddingSha256': digest,
        'mean': encode(mean),
        'projection': encode(vectors[:, best].T),
        'between': [round(float(max(values[i], 1e-3)), 5) for i in best],
    }
    with open(out, 'w', encoding='utf8') as file:
        json.dump(result, file, indent=1)
        file.write('\n')


if __name__ == '__main__':
    main()
