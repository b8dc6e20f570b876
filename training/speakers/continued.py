"""A trainable embedding network from its exported file, whose norms are folded into the
convolutions."""
import torch

from networks import EmbeddingNet
from served import from_onnx


def undo_fold(norm, bias):
    """Makes the next call of a norm take its statistics from that input, so that it adds `bias` and
    changes nothing else; in training it then normalizes each batch as always."""

    def calibrate(_, inputs):
        axes = [0, *range(2, inputs[0].dim())]
        mean, variance = inputs[0].mean(axes), inputs[0].var(axes, unbiased=False)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.data.copy_(torch.sqrt(variance + norm.eps))
        norm.bias.data.copy_(mean + bias)
        hook.remove()

    hook = norm.register_forward_pre_hook(calibrate)


@torch.no_grad()
def continued_embedding(path, features):
    """The embedding network of an exported file; its norms take their statistics from `features`
    [B, T, FEATURES]."""
    served, net = from_onnx('embedding', path), EmbeddingNet().eval()
    net.entry.weight.copy_(served.entry.weight)
    undo_fold(net.entry_norm, served.entry.bias)
    for block, folded in zip(net.blocks, served.blocks):
        block.conv.weight.copy_(folded.weight)
        undo_fold(block.norm, folded.bias)
    net.head_wide.weight.copy_(served.head_wide.weight)
    undo_fold(net.wide_norm, served.head_wide.bias)
    net.head_look.load_state_dict(served.head_look.state_dict())
    net.head_weigh.load_state_dict(served.head_weigh.state_dict())
    undo_fold(net.pooled_norm, 0.0)
    net.head_out.weight.copy_(served.head_out.weight)
    undo_fold(net.out_norm, served.head_out.bias)
    net(features)
    return net
