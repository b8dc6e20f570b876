"""Exports a model with its front end as one ONNX file per language with int8 weights, and the label
file.

usage: export.py CHECKPOINT MODELS_FOLDER [--languages yue cmn eng] [--float] [--version V]
[--figures JSON] Writes MODELS_FOLDER/<language>/acoustic.onnx and acoustic.json. Input `pcm` [1,
samples] float32 at 16 kHz; outputs `symbol_logp` [1, frames, S], for languages with tones
`tone_logp` [1, frames, tones], and `pitch` [1, frames, 2] (log2 of F0 in Hz, voicing 0..1) and
`language_score` [1, frames, 3] (mean over a recording, then softmax: which language), a frame every
30 ms. FIGURES has one entry for each language. Every weight matrix of the network is stored as int8
with one scale per output channel and restored by DequantizeLinear, which onnxruntime
folds when it opens the model only with session.disable_quant_qdq.
"""
import argparse
import json
import os

import numpy as np
import onnx
import torch
import torch.nn as nn
from onnx import helper, numpy_helper

from frontend import FRAME_HOPS, SAMPLE_RATE_HZ, Frontend, normalise, speech_extent, tonal
from labels import LANGUAGES
from model import Narrow, model_of, read_weights, to_int8


def fold(conv, norm):
    """Folds the following batch norm into a convolution."""
    gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    out = nn.Conv1d(
        conv.in_channels,
        conv.out_channels,
        conv.kernel_size,
        conv.stride,
        conv.padding,
        conv.dilation,
    )
    out.weight.data = conv.weight.data * gain[:, None, None]
    before = 0 if conv.bias is None else conv.bias.data
    out.bias.data = norm.bias.data + (before - norm.running_mean) * gain.data
    return out


def folded(block):
    """The convolution of a block with its batch norm."""
    if not isinstance(block.conv, Narrow):
        return fold(block.conv, block.norm)
    return nn.Sequential(block.conv.inner, fold(block.conv.outer, block.norm))


class Served(nn.Module):
    """The exported network: front end, encoder without batch norms and dropout, head of one
    language."""

    def __init__(self, model, language):
        super().__init__()
        model.eval()
        self.frontend, self.head, self.language = Frontend(), model.heads[language], model.language
        encoder = model.encoder
        self.entry = fold(encoder.entry, encoder.entry_norm)
        self.blocks = nn.ModuleList(folded(block) for block in encoder.blocks)
        self.gates = encoder.gates

    def forward(self, pcm):
        log2_f0, voicing = self.frontend.pitch(pcm)
        power = torch.matmul(self.frontend.fine_power(pcm), self.frontend.pool)
        features = torch.cat([normalise(power), tonal(log2_f0, voicing)], 2)
        x = self.entry(features.transpose(1, 2))
        x = x * torch.sigmoid(x)
        for i, block in enumerate(self.blocks):
            y = block(x)
            x = x + y * torch.sigmoid(y)
            if self.gates is not None:
                # Utterances in training begin and end with speech.
                x = self.gates[i](x, speech_extent(power)[:, None, ::FRAME_HOPS])
        symbol, tone = self.head(x)
        pitch = torch.stack([log2_f0, voicing], 2)[:, ::FRAME_HOPS]
        spoken = self.language(x).transpose(1, 2)
        return (symbol, pitch, spoken) if tone is None else (symbol, tone, pitch, spoken)


ROUNDED = ('entry', 'blocks', 'gates', 'head')  # parts of `Served` whose weights become int8


def shrink(graph, small):
    """Replaces large float initializers: int8 + DequantizeLinear for network weights, fp16 + Cast
    for fixed tables."""
    nodes, initialisers = [], []
    for tensor in graph.initializer:
        value = numpy_helper.to_array(tensor)
        if value.dtype != np.float32 or value.size < 2048 or not small:
            initialisers.append(tensor)
            continue
        name = tensor.name
        if name.startswith(ROUNDED):
            rows, scale = to_int8(torch.from_numpy(value))
            initialisers += [
                numpy_helper.from_array(rows.numpy(), name + '_int8'),
                numpy_helper.from_array(scale.numpy(), name + '_scale'),
                numpy_helper.from_array(np.zeros(len(scale), np.int8), name + '_zero'),
            ]
            nodes.append(
                helper.make_node(
                    'DequantizeLinear',
                    [name + '_int8', name + '_scale', name + '_zero'],
                    [name],
                    axis=0,
                )
            )
        else:
            initialisers.append(numpy_helper.from_array(value.astype(np.float16), name + '_half'))
            nodes.append(
                helper.make_node('Cast', [name + '_half'], [name], to=onnx.TensorProto.FLOAT)
            )
    del graph.initializer[:]
    graph.initializer.extend(initialisers)
    rest = list(graph.node)
    del graph.node[:]
    graph.node.extend(nodes + rest)


def load_model(path):
    """The averaged weights of a training or compact checkpoint."""
    return model_of(read_weights(path)).eval()


def export(model, path, language, small=True):
    served = Served(model, language).eval()
    outputs = [
        'symbol_logp',
        *(['tone_logp'] if LANGUAGES[language].tones else []),
        'pitch',
        'language_score',
    ]
    torch.onnx.export(
        served,
        torch.randn(1, 48000) * 0.05,
        path + '.part',
        opset_version=13,
        input_names=['pcm'],
        output_names=outputs,
        dynamic_axes={'pcm': {1: 'samples'}, **{name: {1: 'frames'} for name in outputs}},
    )
    proto = onnx.load(path + '.part')
    shrink(proto.graph, small)
    onnx.checker.check_model(proto)
    onnx.save(proto, path + '.part')
    os.replace(path + '.part', path)
    return served


TRAINED_ON = [
    'espeak-ng in about 70 voice variants: Cantonese, Mandarin, English',
    'jyut.net 粵音資料集叢 (one speaker)',
    'Shtooka Mandarin words (Yue Tan)',
    'speechocean762 (four fifths of half of its speakers)',
    'LibriSpeech excerpts, with the phones that PocketSphinx heard',
]


def description(language, version, figures):
    table = LANGUAGES[language]
    tone = {'tone_logp': ['1', 'frames', table.tones]} if table.tones else {}
    return {
        'language': language,
        'version': version,
        'sampleRateHz': SAMPLE_RATE_HZ,
        'frameMs': 10 * FRAME_HOPS,
        'inputs': {'pcm': ['1', 'samples']},
        'outputs': {
            'symbol_logp': ['1', 'frames', len(table.symbols)],
            **tone,
            'pitch': ['1', 'frames', 2],
            'language_score': ['1', 'frames', len(LANGUAGES)],
        },
        'languages': list(LANGUAGES),
        # Column 0 is the blank, followed by onsets (English: phones) and rimes, in this order.
        'labels': {
            'blank': 0,
            'firstOnset': 1,
            'firstRime': table.first_rime,
            'onsets': table.onsets,
            'rimes': table.rimes,
        },
        'tones': list(range(1, table.tones + 1)),
        'trainedOn': TRAINED_ON,
        'figures': figures,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('checkpoint')
    parser.add_argument('out')
    parser.add_argument('--languages', nargs='*', default=list(LANGUAGES))
    parser.add_argument('--float', action='store_true', help='keep float weights, for comparison')
    parser.add_argument('--version', default='0.4.0')
    parser.add_argument(
        '--figures',
        help='JSON file of evaluate.py, {language: figures}, to include in acoustic.json',
    )
    args = parser.parse_args()
    figures = {}
    if args.figures:
        with open(args.figures, encoding='utf8') as file:
            figures = json.load(file)
    model = load_model(args.checkpoint)
    for language in args.languages:
        folder = os.path.join(args.out, language)
        os.makedirs(folder, exist_ok=True)
        export(model, os.path.join(folder, 'acoustic.onnx'), language, not args.float)
        with open(os.path.join(folder, 'acoustic.json'), 'w', encoding='utf8') as file:
            json.dump(
                description(language, args.version, figures.get(language, {})),
                file,
                ensure_ascii=False,
                indent=1,
            )
            file.write('\n')


if __name__ == '__main__':
    main()
