"""Writes the listener as ONNX graphs with integer weights.

usage: export.py MODEL WEIGHTS OUT --words TSV [--version V]

MODEL is the folder of whisper.py, WEIGHTS a file of keep.py or train_listener.py, TSV what
training/acoustic/make_english_words.mjs prints. OUT gets

  lower.onnx    `pcm` [1, samples] -> `lower` [1, frames, 512]: log mels and the shared layers
  tuned.onnx    `lower` -> for cantonese and mandarin `NAME_symbol_logp` [1, frames, symbols] and
                `NAME_tone_logp` [1, frames, tones], `english_symbol_logp`, and `language_score`
                [1, frames, 3]
  upper.onnx    `lower` -> for each layer I of the published decoder `keys_I` [1, 8, 64, frames]
                and `values_I` [1, 8, frames, 64]
  decoder.onnx  a step of that decoder: `tokens` [beams, new], `rows` [beams], `past_keys` [6,
                beams before, 8, 64, past], `past_values` [6, beams before, 8, past, 64], and
                those of the sound -> `logp` [beams, vocabulary] behind the last token,
                `new_keys`, `new_values`
  listener.json, vocabulary.txt   the labels of the columns, and the bytes of each token

A frame is 20 ms. `rows` names for each beam the one of the step before that it continues.
"""

import argparse
import base64
import hashlib
import json
import os

import numpy as np
import torch
from onnx import TensorProto
from tokenizers import Tokenizer

from graphs import Graph, round_rows
from mels import FILTERS, HANN, HOP, SAMPLE_RATE_HZ, WINDOW
from network import SHARED_LAYERS, SPELLINGS, Listener
from vocabulary import SPECIAL, kept_tokens, token_bytes
from whisper import HEADS, LAYERS, WIDTH, read_tensors

LONG_NAMES = {'yue': 'cantonese', 'cmn': 'mandarin', 'eng': 'english'}
FRAME_MS = 20
FLOAT, INTEGER = TensorProto.FLOAT, TensorProto.INT64
SIZE = WIDTH // HEADS
# A text that seems to come before: the decoder goes on in its script, with its marks.
PROMPTS = {
    'cantonese': '佢哋嘅嘢係咪喺度，唔知點解咁。',
    'mandarin': '以下是普通话的句子，有标点。',
}
FIRST_MERGE = 'Ġ t'
FILES = ['lower.onnx', 'tuned.onnx', 'upper.onnx', 'decoder.onnx', 'vocabulary.txt']
LOWER = ['1', 'frames', WIDTH]
KEYS, VALUES = ['1', HEADS, SIZE, 'frames'], ['1', HEADS, 'frames', SIZE]
PAST_KEYS = [LAYERS, 'beams before', HEADS, SIZE, 'past']
PAST_VALUES = [LAYERS, 'beams before', HEADS, 'past', SIZE]
NEW_KEYS = [LAYERS, 'beams', HEADS, SIZE, 'present']
NEW_VALUES = [LAYERS, 'beams', HEADS, 'present', SIZE]


def array(parameter):
    return parameter.detach().float().numpy()


def log_mels(graph, pcm):
    """[1, bands, hops] of mels.py; the discrete Fourier transform is a convolution."""
    peak = graph.op('ReduceMax', graph.op('Abs', pcm), graph.ints(1), keepdims=1)
    level = graph.op('Add', peak, graph.table([[1e-6]], np.float32))
    row = graph.op('Unsqueeze', graph.op('Div', pcm, level), graph.ints(1))
    half = WINDOW // 2
    row = graph.op('Pad', row, graph.ints(0, 0, half, 0, 0, half), mode='reflect')
    angles = 2 * np.pi / WINDOW * np.outer(np.arange(half + 1), np.arange(WINDOW))
    waves = np.concatenate([np.cos(angles), -np.sin(angles)]) * array(HANN)
    waves = graph.table(waves[:, None], np.float32)
    parts = graph.op('Split', graph.op('Conv', row, waves, strides=[HOP]), axis=1, num_outputs=2,
                     outputs=2)
    power = graph.op('Add', *(graph.op('Mul', part, part) for part in parts))
    power = graph.op('Slice', power, graph.ints(0), graph.ints(-1), graph.ints(2))
    mels = graph.op('MatMul', graph.table(array(FILTERS), np.float32), power)
    mels = graph.op('Max', mels, graph.table(1e-10, np.float32))
    mels = graph.op('Mul', graph.op('Log', mels), graph.table(1 / np.log(10), np.float32))
    loudest = graph.op('ReduceMax', mels, graph.ints(1, 2), keepdims=1)
    mels = graph.op('Max', mels, graph.op('Sub', loudest, graph.table(8, np.float32)))
    mels = graph.op('Add', mels, graph.table(4, np.float32))
    return graph.op('Mul', mels, graph.table(0.25, np.float32))


def enter(graph, mels, encoder):
    """[1, frames, width]: the two convolutions and the positions."""
    x = mels
    for conv, stride in ((encoder.first, 1), (encoder.second, 2)):
        x = graph.op('Conv', x, graph.half(array(conv.weight)), graph.half(array(conv.bias)),
                     pads=[1, 1], strides=[stride])
        x = graph.op('Gelu', x)
    x = graph.op('Transpose', x, perm=[0, 2, 1])
    frames = graph.op('Shape', x, start=1, end=2)
    positions = graph.half(array(encoder.positions))
    return graph.op(
        'Add', x, graph.op('Slice', positions, graph.ints(0), frames, graph.ints(0))
    )


def encoder_layer(graph, x, layer):
    inner = graph.norm(x, array(layer.attention_norm.weight), array(layer.attention_norm.bias))
    query, key, value = np.split(array(layer.project.weight), 3)
    biases = np.split(array(layer.project.bias), 3)
    query, biases[0] = query * SIZE**-0.5, biases[0] * SIZE**-0.5
    whole = graph.linear(inner, np.concatenate([query, key, value]), np.concatenate(biases))
    parts = graph.op('Split', whole, axis=2, num_outputs=3, outputs=3)
    query, key, value = (graph.heads(part, HEADS, part == parts[1]) for part in parts)
    seen = graph.attend(query, key, value)
    x = graph.op('Add', x, graph.linear(seen, array(layer.out.weight), array(layer.out.bias)))
    inner = graph.norm(x, array(layer.feed_norm.weight), array(layer.feed_norm.bias))
    pairs = ((array(part.weight), array(part.bias)) for part in (layer.wide, layer.narrow))
    return graph.op('Add', x, graph.feed(inner, *pairs))


def export_lower(network, path):
    graph = Graph()
    x = enter(graph, log_mels(graph, 'pcm'), network.published)
    for layer in network.published.layers[: network.shared]:
        x = encoder_layer(graph, x, layer)
    graph.save(path, {'pcm': (FLOAT, ['1', 'samples'])}, {'lower': (x, LOWER)})


def export_tuned(network, path):
    graph, x = Graph(), 'lower'
    for layer in network.layers:
        x = encoder_layer(graph, x, layer)
    x = graph.norm(x, array(network.norm.weight), array(network.norm.bias))
    outputs = {}
    for code, table in SPELLINGS.items():
        head, name = network.heads[code], LONG_NAMES[code]
        joint = graph.linear(x, array(head.weight), array(head.bias))
        joint = graph.op('LogSoftmax', joint, axis=-1)
        symbols = joint
        if table.tones:
            single = graph.op('Slice', joint, graph.ints(0), graph.ints(table.first_rime),
                              graph.ints(2))
            rimes = graph.op('Slice', joint, graph.ints(table.first_rime),
                             graph.ints(table.joint_size), graph.ints(2))
            rimes = graph.op('Reshape', rimes,
                             graph.ints(0, 0, len(table.rimes), table.tones))
            rime = graph.op('ReduceLogSumExp', rimes, graph.ints(3), keepdims=0)
            tone = graph.op('ReduceLogSumExp', rimes, graph.ints(2), keepdims=0)
            outputs[f'{name}_tone_logp'] = (
                graph.op('LogSoftmax', tone, axis=-1), ['1', 'frames', table.tones]
            )
            symbols = graph.op('Concat', single, rime, axis=2)
        outputs[f'{name}_symbol_logp'] = (symbols, ['1', 'frames', len(table.symbols)])
    language = graph.linear(x, array(network.language.weight), array(network.language.bias))
    outputs['language_score'] = (language, ['1', 'frames', len(SPELLINGS)])
    graph.save(path, {'lower': (FLOAT, LOWER)}, outputs)


def export_upper(network, tensors, path):
    graph, x = Graph(), 'lower'
    for layer in network.published.layers[network.shared :]:
        x = encoder_layer(graph, x, layer)
    x = graph.norm(x, array(network.published.norm.weight), array(network.published.norm.bias))
    outputs = {}
    for i in range(LAYERS):
        name = f'decoder/layer_{i}/attention/linear_1'
        whole = graph.linear(x, tensors[f'{name}/weight'], tensors[f'{name}/bias'])
        key, value = graph.op('Split', whole, axis=2, num_outputs=2, outputs=2)
        outputs[f'keys_{i}'] = graph.heads(key, HEADS, is_key=True), KEYS
        outputs[f'values_{i}'] = graph.heads(value, HEADS), VALUES
    graph.save(path, {'lower': (FLOAT, LOWER)}, outputs)


class DecoderGraph(Graph):
    """The published decoder, of which `tensors` has the weights."""

    def __init__(self, tensors):
        super().__init__()
        self.tensors = {name: value.astype(np.float32) for name, value in tensors.items()}

    def named(self, name, *parts):
        return [self.tensors[f'{name}/{part}'] for part in parts]

    def normed(self, x, name):
        return self.norm(x, *self.named(f'{name}/layer_norm', 'gamma', 'beta'))

    def layer_of(self, stacked, i):
        return self.op('Squeeze', self.op('Slice', stacked, self.ints(i), self.ints(i + 1),
                                          self.ints(0)), self.ints(0))

    def query(self, x, weight, bias):
        return self.heads(self.linear(x, weight * SIZE**-0.5, bias * SIZE**-0.5), HEADS)


def export_decoder(tensors, kept, path):
    graph = DecoderGraph(tensors)
    weight = graph.tensors['decoder/embeddings/weight'][kept]
    columns, scale = graph_embedding(graph, weight)
    new = graph.op('Shape', 'tokens', start=1, end=2)
    past = graph.op('Shape', 'past_keys', start=4, end=5)
    present = graph.op('Add', new, past)
    # [width, beams, new] of a table that the last product uses too.
    found = graph.op('Cast', graph.op('Gather', columns, 'tokens', axis=1), to=FLOAT)
    found = graph.op('Transpose', found, perm=[1, 2, 0])
    steps = graph.op('Gather', scale, 'tokens')
    x = graph.op('Mul', found, graph.op('Unsqueeze', steps, graph.ints(2)))
    positions = graph.half(graph.tensors['decoder/position_encodings/encodings'])
    x = graph.op('Add', x, graph.op('Slice', positions, past, present, graph.ints(0)))
    zero, one = graph.table(0, np.int64), graph.table(1, np.int64)
    count = graph.op('Squeeze', present, graph.ints(0))
    seen = graph.op('Range', zero, count, one)
    asked = graph.op('Range', graph.op('Squeeze', past, graph.ints(0)), count, one)
    later = graph.op('Greater', seen, graph.op('Unsqueeze', asked, graph.ints(1)))
    mask = graph.op('Mul', graph.op('Cast', later, to=FLOAT), graph.table(-1e9, np.float32))
    new_keys, new_values = [], []
    for i in range(LAYERS):
        name = f'decoder/layer_{i}'
        inner = graph.normed(x, f'{name}/self_attention')
        weights, biases = graph.named(f'{name}/self_attention/linear_0', 'weight', 'bias')
        pairs = list(zip(np.split(weights, 3), np.split(biases, 3)))
        query = graph.query(inner, *pairs[0])
        key = graph.heads(graph.linear(inner, *pairs[1]), HEADS, is_key=True)
        value = graph.heads(graph.linear(inner, *pairs[2]), HEADS)
        before = [
            graph.op('Gather', graph.layer_of(stacked, i), 'rows', axis=0)
            for stacked in ('past_keys', 'past_values')
        ]
        key = graph.op('Concat', before[0], key, axis=3)
        value = graph.op('Concat', before[1], value, axis=2)
        new_keys.append(graph.op('Unsqueeze', key, graph.ints(0)))
        new_values.append(graph.op('Unsqueeze', value, graph.ints(0)))
        seen = graph.attend(query, key, value, mask)
        x = graph.op('Add', x, graph.linear(
            seen, *graph.named(f'{name}/self_attention/linear_1', 'weight', 'bias')))
        inner = graph.normed(x, f'{name}/attention')
        # All hypotheses hear the same sound, so they are rows of one product.
        inner = graph.op('Reshape', inner, graph.ints(1, -1, WIDTH))
        query = graph.query(inner, *graph.named(f'{name}/attention/linear_0', 'weight', 'bias'))
        seen = graph.attend(query, f'keys_{i}', f'values_{i}')
        seen = graph.op('Reshape', seen, graph.op('Shape', x))
        x = graph.op('Add', x, graph.linear(
            seen, *graph.named(f'{name}/attention/linear_2', 'weight', 'bias')))
        inner = graph.normed(x, f'{name}/ffn')
        pairs = (graph.named(f'{name}/ffn/linear_{j}', 'weight', 'bias') for j in range(2))
        x = graph.op('Add', x, graph.feed(inner, *pairs))
    x = graph.op('Slice', x, graph.ints(-1), graph.ints(2**31), graph.ints(1))
    x = graph.normed(graph.op('Squeeze', x, graph.ints(1)), 'decoder')
    logits = graph.rounded_product(x, columns, scale)
    outputs = {
        'logp': (graph.op('LogSoftmax', logits, axis=-1), ['beams', len(kept)]),
        'new_keys': (graph.op('Concat', *new_keys, axis=0), NEW_KEYS),
        'new_values': (graph.op('Concat', *new_values, axis=0), NEW_VALUES),
    }
    inputs = {
        'tokens': (INTEGER, ['beams', 'new']),
        'rows': (INTEGER, ['beams']),
        'past_keys': (FLOAT, PAST_KEYS),
        'past_values': (FLOAT, PAST_VALUES),
        **{f'keys_{i}': (FLOAT, KEYS) for i in range(LAYERS)},
        **{f'values_{i}': (FLOAT, VALUES) for i in range(LAYERS)},
    }
    graph.save(path, inputs, outputs)


def graph_embedding(graph, weight):
    """(columns [width, vocabulary] as int8, scale [vocabulary]) of an embedding [vocabulary,
    width]."""
    rounded, scale = round_rows(weight)
    return graph.table(rounded.T), graph.table(scale, np.float32)


def digest(path):
    with open(path, 'rb') as file:
        return hashlib.file_digest(file, 'sha256').hexdigest()


def open_tokenizer(model):
    """A function from a text to its tokens."""
    with open(os.path.join(model, 'tokenizer.json'), encoding='utf8') as file:
        described = json.load(file)
    merges = described['model']['merges']
    if FIRST_MERGE not in merges and list(FIRST_MERGE.split()) not in merges:
        # The published file lacks the first one, without which no word begins with " t".
        merges.insert(0, FIRST_MERGE if isinstance(merges[0], str) else FIRST_MERGE.split())
    tokenizer = Tokenizer.from_str(json.dumps(described))
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids


def describe(model, kept, encode, version):
    with open(os.path.join(model, 'config.json'), encoding='utf8') as file:
        suppressed = json.load(file)['suppress_ids']
    place = {number: at for at, number in enumerate(kept)}
    return {
        'version': version,
        'sampleRateHz': SAMPLE_RATE_HZ,
        'frameMs': FRAME_MS,
        'languages': [LONG_NAMES[code] for code in SPELLINGS],
        'columns': {
            LONG_NAMES[code]: {
                'onsets': table.onsets,
                'rimes': table.rimes,
                'tones': list(range(1, table.tones + 1)),
            }
            for code, table in SPELLINGS.items()
        },
        'decoder': {
            'layers': LAYERS,
            'heads': HEADS,
            'size': SIZE,
            'special': {name: place[number] for name, number in SPECIAL.items()},
            'prompts': {
                language: [place[number] for number in encode(text)]
                for language, text in PROMPTS.items()
            },
            'suppressed': [place[number] for number in suppressed if number in place],
        },
    }


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('model')
    parser.add_argument('weights')
    parser.add_argument('out')
    parser.add_argument('--words', required=True)
    parser.add_argument('--version', default='1.0.0')
    parser.add_argument('--parts', nargs='*', default=['lower', 'tuned', 'upper', 'decoder'])
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    path = os.path.join(args.model, 'model.bin')
    network = Listener(path, SHARED_LAYERS)
    state = torch.load(args.weights)['average']
    network.load_tuned({name: value.float() for name, value in state.items()})
    tensors = read_tensors(path)
    pieces = token_bytes(os.path.join(args.model, 'vocabulary.txt'))
    encode = open_tokenizer(args.model)
    with open(args.words, encoding='utf8') as file:
        words = [line.split('\t')[0] for line in file]
    kept = kept_tokens(pieces, words, encode)
    write = {
        'lower': lambda to: export_lower(network, to),
        'tuned': lambda to: export_tuned(network, to),
        'upper': lambda to: export_upper(network, tensors, to),
        'decoder': lambda to: export_decoder(tensors, kept, to),
    }
    for part in args.parts:
        file = os.path.join(args.out, f'{part}.onnx')
        write[part](file + '.part')
        os.replace(file + '.part', file)
    with open(os.path.join(args.out, 'vocabulary.txt'), 'w', encoding='ascii') as file:
        for number in kept:
            file.write(base64.b64encode(pieces[number]).decode() + '\n')
    with open(os.path.join(args.out, 'listener.json'), 'w', encoding='utf8') as file:
        described = describe(args.model, kept, encode, args.version)
        described['sha256'] = {name: digest(os.path.join(args.out, name)) for name in FILES}
        json.dump(described, file, ensure_ascii=False, indent=1)
        file.write('\n')


if __name__ == '__main__':
    main()
