"""Shipped networks: front end, network without batch norms and dropout, and output
normalization."""
import numpy as np
import onnx
import people  # noqa: F401  (finds the acoustic models' export)
import torch
import torch.nn as nn
import torch.nn.functional as F
from export import fold
from onnx import numpy_helper

from features import Bands
from networks import ActivityNet, EmbeddingNet, pooled


class Trunk(nn.Module):
    """First and residual blocks with norms folded in."""

    def __init__(self, net):
        super().__init__()
        net.eval()
        self.bands = Bands()
        self.entry = fold(net.entry, net.entry_norm)
        self.blocks = nn.ModuleList(fold(block.conv, block.norm) for block in net.blocks)

    def levels(self, samples):
        """Outputs of the first and every residual block, [B, C, frames of 20 ms]."""
        x = F.silu(self.entry(self.bands(samples).transpose(1, 2)))
        out = [x]
        for block in self.blocks:
            x = x + F.silu(block(x))
            out.append(x)
        return out


class ServedEmbedding(Trunk):
    """samples [B, n] -> embeddings [B, D] of unit length."""

    outputs = {'embedding': {0: 'batch'}}

    def __init__(self, net):
        super().__init__(net)
        self.head_wide, self.head_look, self.head_weigh = (
            fold(net.head_wide, net.wide_norm),
            net.head_look,
            net.head_weigh,
        )
        self.head_out = fold(net.head_out, net.out_norm)
        norm = net.pooled_norm
        gain = (norm.weight / torch.sqrt(norm.running_var + norm.eps)).data
        shift = norm.bias.data - norm.running_mean * gain
        self.head_out.bias.data += torch.matmul(self.head_out.weight.data[:, :, 0], shift)
        self.head_out.weight.data = self.head_out.weight.data * gain[None, :, None]

    def forward(self, samples):
        x = F.silu(self.head_wide(torch.cat(self.levels(samples)[2::2], 1)))
        x = self.head_out(pooled(x, self.head_weigh(torch.tanh(self.head_look(x)))))[:, :, 0]
        return x / torch.sqrt((x * x).sum(1, keepdim=True) + 1e-12)


class ServedActivity(Trunk):
    """samples [B, n] -> probabilities [B, frames, 3] of none, one, several speakers."""

    outputs = {'activity': {0: 'batch', 1: 'frames'}}

    def __init__(self, net):
        super().__init__(net)
        self.head_out = net.head_out

    def forward(self, samples):
        return torch.softmax(self.head_out(self.levels(samples)[-1]).transpose(1, 2), 2)


KINDS = {'embedding': (EmbeddingNet, ServedEmbedding), 'activity': (ActivityNet, ServedActivity)}


def from_checkpoint(kind, path):
    """The averaged weights of a training run in serving form."""
    net, served = KINDS[kind]
    model = net()
    model.load_state_dict(torch.load(path, map_location='cpu')['average'])
    return served(model.eval()).eval()


def from_onnx(kind, path):
    """The weights of a shipped file, so that figures apply to it."""
    net, served = KINDS[kind]
    model = served(net().eval()).eval()
    found = {
        tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(path).graph.initializer
    }
    state = {}
    for name, value in model.state_dict().items():
        if name + '_int8' in found:
            scale = found[name + '_scale'].reshape(-1, *[1] * (value.ndim - 1))
            state[name] = torch.tensor(found[name + '_int8'].astype(np.float32) * scale)
        elif name + '_half' in found:
            state[name] = torch.tensor(found[name + '_half'].astype(np.float32))
        else:
            state[name] = torch.tensor(found[name])
    model.load_state_dict(state)
    return model
