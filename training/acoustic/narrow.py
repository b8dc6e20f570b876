"""Makes a large model small: each convolution becomes a product of two through fewer channels.

usage: narrow.py CHECKPOINT RECORDINGS STORES OUT [--kept 0.9] [--batches 40]

The outputs of each convolution on training material, scaled as its batch norm scales them, are
projected on their principal components; as many are kept as hold `kept` of the energy. Among all
projections of that rank this one changes the outputs least. OUT is a checkpoint to continue
training from (train.py --init OUT --teacher CHECKPOINT).
"""
import argparse
import glob
import os

import numpy as np
import torch

from augment import augment, noise_rows
from batches import Sampler
from export import load_model
from model import Narrow, frame_mask
from store import Store
from texts import CantoneseSource
from train import MIXTURES, is_test_store

STEP = 16  # ranks are multiples of it


@torch.no_grad()
def measure(model, batches, augmented):
    """[block] covariances [channels, channels] of the scaled outputs of the convolutions."""
    sums, count, mask = [0.0] * len(model.encoder.blocks), 0, None

    def watch(i, block):
        def hook(_module, _inputs, output):
            scaled = block.norm(output).sub(block.norm.bias[:, None]).transpose(1, 2)[mask].double()
            sums[i] = sums[i] + scaled.T @ scaled

        return block.conv.register_forward_hook(hook)

    hooks = [watch(i, block) for i, block in enumerate(model.encoder.blocks)]
    for batch in batches:
        mask = frame_mask(batch['frames'], int(batch['frames'].max())).bool()
        model.encoder(augmented(batch), batch['frames'])
        count += int(mask.sum())
    for hook in hooks:
        hook.remove()
    return [total / count for total in sums]


def narrow(block, covariance, kept):
    """Replaces the convolution of a block; returns the rank."""
    conv, norm = block.conv, block.norm
    values, vectors = torch.linalg.eigh(covariance)
    share = values.flip(0).cumsum(0) / values.sum()
    rank = min(len(values), STEP * (int((share < kept).sum()) // STEP + 1))
    basis = vectors[:, -rank:]
    scale = (norm.weight / torch.sqrt(norm.running_var + norm.eps)).double()
    down, up = basis * scale[:, None], basis / scale[:, None]
    replacement = Narrow(conv.in_channels, rank, conv.dilation[0])
    replacement.inner.weight.data = torch.einsum('cr,cik->rik', down, conv.weight.double()).float()
    replacement.outer.weight.data = up.float()[:, :, None]
    mean = norm.running_mean.double()
    replacement.outer.bias.data = (mean - up @ (down.T @ mean)).float()
    block.conv = replacement
    return rank


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('checkpoint')
    parser.add_argument('recordings')
    parser.add_argument('stores')
    parser.add_argument('out')
    parser.add_argument(
        '--kept', type=float, default=0.9, help='share of the energy of each convolution'
    )
    parser.add_argument('--mixture', choices=list(MIXTURES), default='full')
    parser.add_argument('--batches', type=int, default=40)
    args = parser.parse_args()
    torch.manual_seed(1)
    np.random.seed(1)
    names = sorted(
        path[: -len('.jsonl')] for path in glob.glob(os.path.join(args.stores, '*.jsonl'))
    )
    store = Store([name for name in names if not is_test_store(name)])
    text = CantoneseSource(
        args.recordings, [row['units'][0] for row in store.index if row['store'] == 'kt-train']
    )
    sampler = Sampler(store, text, MIXTURES[args.mixture], 1)
    noise_index = noise_rows(store)
    drawn = (batch for batch, _ in zip(sampler.batches(lambda: 800), range(args.batches)))
    model = load_model(args.checkpoint)
    covariances = measure(model, drawn, lambda batch: augment(store, noise_index, batch))
    ranks = [
        narrow(block, covariance, args.kept)
        for block, covariance in zip(model.encoder.blocks, covariances)
    ]
    torch.save({'average': model.state_dict()}, args.out)
    print(f'ranks {ranks}: {sum(p.numel() for p in model.parameters()) / 1e6:.2f} M parameters')


if __name__ == '__main__':
    main()
