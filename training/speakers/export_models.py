"""Writes FOLDER/embedding.onnx, activity.onnx and speakers.json.

usage: export_models.py EMBEDDING_CHECKPOINT ACTIVITY_CHECKPOINT FOLDER [--float] [--version V]
[--figures JSON] Weights are int8 with one scale per output channel, restored when the model is
loaded (--float keeps floats, for comparison). FIGURES is the output of evaluate.py --json.
"""
import argparse
import json
import os

import onnx
import people  # noqa: F401  (finds the acoustic models' export)
import torch
from export import shrink

from export_ge2e import EMBEDDING as GE2E
from networks import EMBEDDING
from served import KINDS, from_checkpoint


def export(kind, served, path, small=True):
    outputs = KINDS[kind][1].outputs
    torch.onnx.export(
        served,
        torch.randn(2, 24000) * 0.05,
        path + '.part',
        opset_version=13,
        input_names=['samples'],
        output_names=list(outputs),
        dynamic_axes={'samples': {0: 'batch', 1: 'n'}, **outputs},
    )
    proto = onnx.load(path + '.part')
    shrink(proto.graph, small)
    onnx.checker.check_model(proto)
    onnx.save(proto, path + '.part')
    os.replace(path + '.part', path)


def description(version, figures):
    return {
        'version': version,
        'sampleRateHz': 16000,
        'embeddingSizes': {'embedding': EMBEDDING, 'ge2e': GE2E},
        # Frame i of `activity` covers the 20 ms around sample 320 i; n samples give floor(n /
        # 320) + 1 frames.
        'frameMs': 20,
        'firstFrameCentreMs': 0,
        'activityClasses': ['nobody', 'one', 'several'],
        'embeddingWindowMs': {'shortest': 400, 'trainedFrom': 800, 'trainedTo': 3000},
        'activityWindowMs': {'longest': 20000, 'trainedFrom': 2000, 'trainedTo': 10000},
        'files': {
            'embedding': 'embedding.onnx',
            'ge2e': 'ge2e.onnx',
            'activity': 'activity.onnx',
            'segmentation': 'segmentation.onnx',
        },
        'inputs': {
            'embedding': {'samples': ['batch', 'n']},
            'ge2e': {'samples': ['batch', 'n']},
            'activity': {'samples': [1, 'n']},
            'segmentation': {'samples': ['batch', 80000]},
        },
        'outputs': {
            'embedding': {'embedding': ['batch', EMBEDDING]},
            'ge2e': {'embedding': ['batch', GE2E]},
            'activity': {'activity': [1, 'frames', 3]},
            'segmentation': {'speakers': ['batch', 293, 3]},
        },
        'heldOutRule': "first four bytes of SHA-256 of '<table>/<speaker>', big-endian unsigned, "
        'modulo 7 is 0',
        'figures': figures,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('embedding')
    parser.add_argument('activity')
    parser.add_argument('out')
    parser.add_argument('--float', action='store_true')
    parser.add_argument('--version', default='1.0.0')
    parser.add_argument('--figures')
    args = parser.parse_args()
    figures = {}
    if args.figures:
        with open(args.figures, encoding='utf8') as file:
            figures = json.load(file)
    os.makedirs(args.out, exist_ok=True)
    for kind in KINDS:
        export(
            kind,
            from_checkpoint(kind, getattr(args, kind)),
            os.path.join(args.out, kind + '.onnx'),
            not args.float,
        )
    with open(os.path.join(args.out, 'speakers.json'), 'w', encoding='utf8') as file:
        json.dump(description(args.version, figures), file, ensure_ascii=False, indent=2)
        file.write('\n')


if __name__ == '__main__':
    main()
