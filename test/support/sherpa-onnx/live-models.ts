import { float, int32, int64, tokensFile, type ModelFiles } from './recognizer-models.ts';
import { everyFrame, SAMPLE_SCALE_LOG_ENERGY, scoreTokens, THRESHOLD, type TokenScore } from './score-tokens.ts';
import { encodeTypedOnnx, floats, integers, node } from './typed-onnx.ts';

/** Seven frames of 80 bands, the middle one of which is read. */
const STACKED = 7;

/**
 * Recognizes whistles 0 香 1 港 2 人 3 「hel@@」 4 「lo」, each where it begins. As in the real model,
 * the weights of the frames say where a token is, and no token has a time. Model type paraformer
 * (streaming).
 */
export function liveParaformerFiles(): ModelFiles {
  const tokens = ['<blank>', '<s>', '</s>', '香', '港', '人', 'hel@@', 'lo', '<unk>'];
  const size = tokens.length;
  // The library multiplies the features by the root of the encoder's size.
  const scale = Math.sqrt(size);
  const scoring: TokenScore[] = [null, null, null, ...[0, 1, 2, 3, 4].map((whistle) => ({ whistle })), null];
  const scores = scoreTokens('speech', 'enc', scoring, { highHz: 8_000, stacked: STACKED });
  const threshold = (THRESHOLD + SAMPLE_SCALE_LOG_ENERGY) * scale;
  const encoder = encodeTypedOnnx({
    nodes: [
      ...scores.nodes,
      node('ReduceMax', ['enc'], 'loudest', { axes: [2], keepdims: 0 }),
      node('Sub', ['loudest', 'threshold'], 'above'),
      node('Clip', ['above', 'zero', 'unit'], 'sounding'),
      // A token is where a whistle begins: this frame has it, the one before has not.
      node('Slice', ['sounding', 'first', 'last', 'axis'], 'but_last'),
      node('Concat', ['silent', 'but_last'], 'before', { axis: 1 }),
      node('Sub', ['sounding', 'before'], 'begun'),
      node('Clip', ['begun', 'zero', 'unit'], 'rising'),
      node('Floor', ['rising'], 'alphas'),
      node('Identity', ['speech_lengths'], 'enc_len'),
    ],
    constants: [
      ...scores.constants,
      { name: 'threshold', dims: [], data: new Float32Array([threshold]) },
      { name: 'zero', dims: [], data: new Float32Array([0]) },
      { name: 'unit', dims: [], data: new Float32Array([1]) },
      floats('silent', [1, 1], () => 0),
      integers('first', [0]),
      integers('last', [-1]),
      integers('axis', [1]),
    ],
    inputs: [float('speech', 'N', 'T', 80 * STACKED), int32('speech_lengths', 'N')],
    outputs: [float('enc', 'N', 'T', size), int32('enc_len', 'N'), float('alphas', 'N', 'T')],
    metadata: {
      vocab_size: size,
      lfr_window_size: STACKED,
      lfr_window_shift: 6,
      encoder_output_size: size,
      decoder_num_blocks: 1,
      decoder_kernel_size: 11,
      neg_mean: Array.from({ length: 80 * STACKED }, () => 0).join(','),
      inv_stddev: Array.from({ length: 80 * STACKED }, () => 1).join(','),
    },
  });
  const decoder = encodeTypedOnnx({
    nodes: [
      node('Identity', ['acoustic_embeds'], 'logits'),
      node('ArgMax', ['acoustic_embeds'], 'sample_ids', { axis: 2, keepdims: 0 }),
      node('Identity', ['in_cache_0'], 'out_cache_0'),
    ],
    constants: [],
    inputs: [
      float('enc', 'N', 'T', size),
      int32('enc_len', 'N'),
      float('acoustic_embeds', 'N', 'tokens', size),
      int32('acoustic_embeds_len', 'N'),
      float('in_cache_0', 'N', size, 10),
    ],
    outputs: [
      float('logits', 'N', 'tokens', size),
      int64('sample_ids', 'N', 'tokens'),
      float('out_cache_0', 'N', size, 10),
    ],
    metadata: {},
  });
  return { 'encoder.int8.onnx': encoder, 'decoder.int8.onnx': decoder, 'tokens.txt': tokensFile(tokens) };
}

/** Frames of a chunk, and those that the encoder reads: it looks ahead. */
const CHUNK_FRAMES = 32;
const READ_FRAMES = 45;
const ENCODER_SIZE = 8;

/**
 * Recognizes whistles 0 香 1 港 2 人 3 「▁HEL」 4 「LO」, each once, with its time. Model type
 * zipformer2 (streaming), with one layer whose states stay as they are.
 */
export function liveZipformerFiles(): ModelFiles {
  const tokens = ['<blk>', '<sos/eos>', '<unk>', '香', '港', '人', '▁HEL', 'LO'];
  const scoring: TokenScore[] = ['blank', null, null, ...[0, 1, 2, 3, 4].map((whistle) => ({ whistle }))];
  const frames = everyFrame(4, 'chunk', 'frames');
  const scores = scoreTokens('frames', 'encoder_out', scoring);
  const [left, head] = [4, 2];
  const states = [
    ['cached_key_0', left, 'N', head],
    ['cached_nonlin_attn_0', 1, 'N', left, (3 * ENCODER_SIZE) / 4],
    ['cached_val1_0', left, 'N', head],
    ['cached_val2_0', left, 'N', head],
    ['cached_conv1_0', 'N', ENCODER_SIZE, 3],
    ['cached_conv2_0', 'N', ENCODER_SIZE, 3],
    ['embed_states', 'N', 128, 3, 19],
  ] as const;
  const encoder = encodeTypedOnnx({
    nodes: [
      node('Slice', ['x', 'from', 'until', 'axis'], 'chunk'),
      ...frames.nodes,
      ...scores.nodes,
      ...[...states.map(([name]) => name), 'processed_lens'].map((name) => node('Identity', [name], `new_${name}`)),
    ],
    constants: [
      ...frames.constants,
      ...scores.constants,
      integers('from', [0]),
      integers('until', [CHUNK_FRAMES]),
      integers('axis', [1]),
    ],
    inputs: [
      float('x', 'N', READ_FRAMES, 80),
      ...states.map(([name, ...dims]) => float(name, ...dims)),
      int64('processed_lens', 'N'),
    ],
    outputs: [
      float('encoder_out', 'N', CHUNK_FRAMES / 4, tokens.length),
      ...states.map(([name, ...dims]) => float(`new_${name}`, ...dims)),
      int64('new_processed_lens', 'N'),
    ],
    metadata: {
      model_type: 'zipformer2',
      version: 1,
      encoder_dims: ENCODER_SIZE,
      query_head_dims: head,
      value_head_dims: head,
      num_heads: 1,
      num_encoder_layers: 1,
      cnn_module_kernels: 7,
      left_context_len: left,
      T: READ_FRAMES,
      decode_chunk_len: CHUNK_FRAMES,
    },
  });
  const decoder = encodeTypedOnnx({
    nodes: [
      node('Gather', ['y', 'last'], 'before', { axis: 1 }),
      node('Gather', ['forbidden', 'before'], 'decoder_out'),
    ],
    constants: [
      { name: 'last', dims: [], data: new BigInt64Array([1n]) },
      floats('forbidden', [tokens.length, tokens.length], (before, token) =>
        before > 2 && before === token ? -1_000 : 0,
      ),
    ],
    inputs: [int64('y', 'N', 2)],
    outputs: [float('decoder_out', 'N', tokens.length)],
    metadata: { vocab_size: tokens.length, context_size: 2 },
  });
  const joiner = encodeTypedOnnx({
    nodes: [node('Add', ['encoder_out', 'decoder_out'], 'logit')],
    constants: [],
    inputs: [float('encoder_out', 'N', tokens.length), float('decoder_out', 'N', tokens.length)],
    outputs: [float('logit', 'N', tokens.length)],
    metadata: { joiner_dim: tokens.length },
  });
  return {
    'encoder.int8.onnx': encoder,
    'decoder.onnx': decoder,
    'joiner.int8.onnx': joiner,
    'tokens.txt': tokensFile(tokens),
  };
}
