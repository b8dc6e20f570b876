"""Fits the speaker space of the joined embedding networks: FOLDER/voices.json.

usage: fit_voices.py FOLDER WINDOWS.json...   (WINDOWS from write-windows.ts; FOLDER has the
networks, usually models/speakers)

Linear discriminant analysis: dimensions with unit variance within a speaker and maximum variance
between speakers. Held-out speakers, on which results are reported, must not be among them.
"""
import base64
import hashlib
import json
import os
import sys

import numpy as np
from scipy.linalg import eigh

NETWORKS = ('embedding.onnx', 'ge2e.onnx')  # in the order of their vectors
DIMENSIONS = 96
# of the within-speaker covariance towards an isotropic one, in units of its mean; strong, because
# the first network knows the training speakers
SHRINKAGE = 3
# Length of the second network's vectors beside those of the first.
SECOND_WEIGHT = 1.4
FIRST_SIZE = 160
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
    folder, *paths = sys.argv[1:]
    sets = [read(path) for path in paths]
    weights = np.ones(sets[0][0].shape[1], np.float32)
    weights[FIRST_SIZE:] = SECOND_WEIGHT
    mean, within, between = statistics([(vectors * weights, names) for vectors, names in sets])
    within = within + SHRINKAGE * np.trace(within) / len(within) * np.eye(len(within))
    values, vectors = eigh((between + between.T) / 2, within)
    best = np.argsort(-values)[:DIMENSIONS]
    digest = hashlib.sha256()
    for network in NETWORKS:
        with open(os.path.join(folder, network), 'rb') as file:
            digest.update(file.read())
    encode = lambda numbers: base64.b64encode(
        np.ascontiguousarray(numbers, '<f4').tobytes()
    ).decode()
    result = {
        'networksSha256': digest.hexdigest(),
        'mean': encode(mean / weights),
        'projection': encode(vectors[:, best].T * weights),
        'between': [round(float(max(values[i], 1e-3)), 5) for i in best],
    }
    with open(os.path.join(folder, 'voices.json'), 'w', encoding='utf8') as file:
        json.dump(result, file, indent=1)
        file.write('\n')


if __name__ == '__main__':
    main()
