"""Figures of the shipped models on held-out speakers.

usage: evaluate.py MODELS DATA [--meetings RECORDINGS] [--mixtures N] [--json OUT]
       (DATA from sounds.py; RECORDINGS has meetings/*.rttm)

Reads the weights from the ONNX files; check_onnx.mjs verifies that onnxruntime gives the same
results. The figures of the activity are from N mixtures of ten seconds.
"""
import argparse
import glob
import json
import os

import numpy as np
import torch

from rooms import record
from served import from_onnx
from sounds import Tracks
from store import load_audio
from train_activity import figures, test_mixtures
from trials import equal_error, equal_error_rates, windows

FRAMES_A_SECOND = 50


def read_turns(path, frames):
    """[frames] number of speakers in every 20 ms, and [speakers, frames] their activity, from an
    RTTM file."""
    active = {}
    with open(path, encoding='utf8') as lines:
        for line in lines:
            parts = line.split()
            first, last = float(parts[3]), float(parts[3]) + float(parts[4])
            row = active.setdefault(parts[7], np.zeros(frames, bool))
            row[round(first * FRAMES_A_SECOND) : round(last * FRAMES_A_SECOND)] = True
    rows = np.stack(list(active.values()))
    return rows.sum(0), rows


@torch.no_grad()
def meetings(embedding, activity, recordings):
    """Activity against the turns of the meeting excerpts, and the EER of 1.5-s windows with a
    single speaker."""
    found, classes, scores = [], [], {True: [], False: []}
    for path in sorted(glob.glob(os.path.join(recordings, 'meetings', '*.rttm'))):
        samples = torch.from_numpy(load_audio(path[:-5] + '.opus'))[None]
        parts = [
            activity(samples[:, i : i + 320000])[0, :1000]
            for i in range(0, samples.shape[1], 320000)
        ]
        parts = torch.cat(parts)
        count, rows = read_turns(path, len(parts))
        found.append(parts)
        classes.append(torch.from_numpy(np.minimum(count, 2)))
        vectors, speakers = [], []
        for at in range(0, len(count) - 75, 37):
            share = rows[:, at : at + 75].mean(1)
            if share.max() > 0.8 and np.sort(share)[-2:-1].sum() < 0.1:
                vectors.append(embedding(samples[:, at * 320 : (at + 75) * 320])[0])
                speakers.append(int(share.argmax()))
        for i in range(len(vectors)):
            for j in range(i + 2, len(vectors)):  # adjacent windows overlap by half
                scores[speakers[i] == speakers[j]].append(float(vectors[i] @ vectors[j]))
    out = figures(torch.cat(found)[None], torch.cat(classes)[None])
    out['equal error, 1.5 s, one speaks'] = equal_error(
        np.array(scores[True]), np.array(scores[False])
    )
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('models')
    parser.add_argument('data')
    parser.add_argument('--meetings')
    parser.add_argument('--mixtures', type=int, default=120)
    parser.add_argument('--json')
    args = parser.parse_args()
    torch.set_num_threads(1)
    embedding = from_onnx('embedding', os.path.join(args.models, 'embedding.onnx'))
    activity = from_onnx('activity', os.path.join(args.models, 'activity.onnx'))
    held_out, out = Tracks(args.data + '/held-out'), {}
    for seconds in (1.0, 1.5, 3.0):
        out[f'equal error, {seconds} s'] = equal_error_rates(embedding, *windows(held_out, seconds))
    torch.manual_seed(3)
    sounds, *facts = windows(held_out, 1.5)
    spoilt = record(torch.from_numpy(sounds)[None], snr_low=5.0).numpy()
    out[
        'equal error, 1.5 s, each window in a room, noise and channel of its own'
    ] = equal_error_rates(embedding, spoilt, *facts)
    sounds, classes = test_mixtures(held_out, args.mixtures)
    with torch.no_grad():
        found = torch.cat([activity(sounds[i : i + 4]) for i in range(0, len(sounds), 4)])
    out['activity, mixtures'] = figures(found, classes)
    if args.meetings:
        out['meetings'] = meetings(embedding, activity, args.meetings)
    for name, values in out.items():
        print(name)
        for key, value in values.items():
            print(f'  {key}: {value:.3f}' if key.startswith('cosine') else f'  {key}: {value:.1%}')
    if args.json:
        rounded = {
            name: {key: round(value, 4) for key, value in values.items()}
            for name, values in out.items()
        }
        with open(args.json, 'w', encoding='utf8') as file:
            json.dump(rounded, file, indent=1)


if __name__ == '__main__':
    main()
