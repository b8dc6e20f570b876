import { createRandom } from '@jyutsing/numeric/random';
import type { OnnxConstant } from '../onnx.ts';
import { encodeTypedOnnx, floats, integers, node, type TypedValue } from '../sherpa-onnx/typed-onnx.ts';

/** Sizes of the small model. */
export const SIZES = {
  vocabulary: 512,
  codebooks: 4,
  codebookSize: 64,
  /** The code of rows without sound. */
  padCode: 64,
  hidden: 8,
  heads: 2,
  headSize: 4,
  frameSamples: 3_840,
  codecContext: 3,
} as const;

const { vocabulary, codebooks, codebookSize, hidden, heads, headSize, frameSamples, codecContext } = SIZES;
const TO = { float: { to: 1 }, int32: { to: 6 }, int64: { to: 7 } } as const;

const float = (name: string, ...dims: (number | string)[]): TypedValue => ({ name, type: 'float', dims });
const int32 = (name: string, ...dims: (number | string)[]): TypedValue => ({ name, type: 'int32', dims });

/** Random weights, the same each time. */
function weights(seed: number): (name: string, dims: number[], spread: number) => OnnxConstant {
  const random = createRandom(seed);
  return (name, dims, spread) => floats(name, dims, () => spread * (2 * random() - 1));
}

/** Sums the vectors of a row's token and codes, `input_ids` → `x`, 1 × rows × hidden. */
const rowNodes = [
  node('Gather', ['row_table', 'input_ids'], 'vectors', { axis: 0 }),
  node('Mul', ['vectors', 'column_weights'], 'weighted'),
  node('ReduceSum', ['weighted', 'axis_2'], 'x', { keepdims: 0 }),
];
function rowConstants(): OnnxConstant[] {
  const weight = weights(1);
  return [
    weight('row_table', [vocabulary, hidden], 1),
    weight('column_weights', [codebooks + 1, 1], 1),
    integers('axis_2', [2]),
  ];
}

/** The state of each row from itself, the mean of all and, after the prompt, its place. */
const stateNodes = (extra: string) => [
  node('Reshape', ['keys', 'flat'], 'flat_keys'),
  node('ReduceMean', ['flat_keys'], 'mean_key', { axes: [1], keepdims: 1 }),
  node('Reshape', ['values', 'flat'], 'flat_values'),
  node('ReduceMean', ['flat_values'], 'mean_value', { axes: [1], keepdims: 1 }),
  node('MatMul', ['x', 'own_weights'], 'own'),
  node('MatMul', ['mean_key', 'key_weights'], 'from_keys'),
  node('MatMul', ['mean_value', 'value_weights'], 'from_values'),
  node('Sum', ['own', 'from_keys', 'from_values', extra], 'sum'),
  node('Tanh', ['sum'], 'global_hidden'),
];
function stateConstants(): OnnxConstant[] {
  const weight = weights(2);
  return [
    weight('own_weights', [hidden, hidden], 0.6),
    weight('key_weights', [hidden, hidden], 2),
    weight('value_weights', [hidden, hidden], 1),
    weight('place_weights', [1, 1, hidden], 0.02),
    integers('flat', [1, -1, hidden]),
    integers('by_head', [1, -1, heads, headSize]),
    floats('half', [1], () => 0.5),
  ];
}
const keyNodes = (key: string, value: string) => [
  node('Reshape', ['x', 'by_head'], key),
  node('Mul', [key, 'half'], value),
];
const cache = (name: string) => float(name, 1, 'rows', heads, headSize);

export function prefillGraph(): Buffer {
  return encodeTypedOnnx({
    nodes: [
      ...rowNodes,
      ...keyNodes('present_key_0', 'present_value_0'),
      node('Identity', ['present_key_0'], 'keys'),
      node('Identity', ['present_value_0'], 'values'),
      node('Cast', ['attention_mask'], 'mask', TO.float),
      node('Unsqueeze', ['mask', 'axis_2'], 'mask_column'),
      node('Mul', ['mask_column', 'place_weights'], 'masked'),
      ...stateNodes('masked'),
    ],
    constants: [...rowConstants(), ...stateConstants()],
    inputs: [int32('input_ids', 1, 'rows', codebooks + 1), int32('attention_mask', 1, 'rows')],
    outputs: [float('global_hidden', 1, 'rows', hidden), cache('present_key_0'), cache('present_value_0')],
    metadata: {},
  });
}

export function decodeStepGraph(): Buffer {
  return encodeTypedOnnx({
    nodes: [
      ...rowNodes,
      ...keyNodes('new_key', 'new_value'),
      node('Concat', ['past_key_0', 'new_key'], 'present_key_0', { axis: 1 }),
      node('Concat', ['past_value_0', 'new_value'], 'present_value_0', { axis: 1 }),
      node('Identity', ['present_key_0'], 'keys'),
      node('Identity', ['present_value_0'], 'values'),
      node('Cast', ['past_valid_lengths'], 'place', TO.float),
      node('Mul', ['place', 'place_weights'], 'placed'),
      ...stateNodes('placed'),
    ],
    constants: [...rowConstants(), ...stateConstants()],
    inputs: [
      int32('input_ids', 1, 1, codebooks + 1),
      int32('past_valid_lengths', 1),
      cache('past_key_0'),
      cache('past_value_0'),
    ],
    outputs: [float('global_hidden', 1, 1, hidden), cache('present_key_0'), cache('present_value_0')],
    metadata: {},
  });
}

/** Draws the end and each code from one number each, by the inverse of the distribution. */
export function fixedFrameGraph(): Buffer {
  const weight = weights(3);
  return encodeTypedOnnx({
    nodes: [
      node('MatMul', ['global_hidden', 'end_weights'], 'end_score'),
      node('Add', ['end_score', 'end_bias'], 'biased'),
      node('Sigmoid', ['biased'], 'goes_on'),
      node('LessOrEqual', ['assistant_random_u', 'goes_on'], 'is_within'),
      node('Cast', ['is_within'], 'should_continue', TO.int32),
      node('MatMul', ['global_hidden', 'code_weights'], 'scores'),
      node('Reshape', ['scores', 'by_codebook'], 'by_code'),
      node('Cast', ['repetition_seen_mask'], 'seen', TO.float),
      node('Mul', ['seen', 'penalty'], 'penalties'),
      node('Sub', ['by_code', 'penalties'], 'penalized'),
      node('Softmax', ['penalized'], 'probabilities', { axis: -1 }),
      node('CumSum', ['probabilities', 'axis_of_codes'], 'sums'),
      node('Unsqueeze', ['audio_random_u', 'axis_2'], 'numbers'),
      node('Less', ['sums', 'numbers'], 'is_below'),
      node('Cast', ['is_below'], 'below', TO.float),
      node('ReduceSum', ['below', 'axis_2'], 'count', { keepdims: 0 }),
      node('Min', ['count', 'last_code'], 'code'),
      node('Cast', ['code'], 'frame_token_ids', TO.int32),
    ],
    constants: [
      weight('end_weights', [hidden, 1], 1),
      floats('end_bias', [1], () => 3.5),
      weight('code_weights', [hidden, codebooks * codebookSize], 2),
      floats('penalty', [1], () => 1.5),
      floats('last_code', [1], () => codebookSize - 1),
      integers('by_codebook', [1, codebooks, codebookSize]),
      integers('axis_2', [2]),
      integers('axis_of_codes', [2]),
    ],
    inputs: [
      float('global_hidden', 1, hidden),
      int32('repetition_seen_mask', 1, codebooks, codebookSize),
      float('assistant_random_u', 1),
      float('audio_random_u', 1, codebooks),
    ],
    outputs: [int32('should_continue', 1, 1), int32('frame_token_ids', 1, codebooks)],
    metadata: {},
  });
}

export function cachedStepGraph(): Buffer {
  const weight = weights(4);
  const scalars = ['text_token_id', 'audio_token_id', 'channel_index', 'step_type'] as const;
  return encodeTypedOnnx({
    nodes: [
      ...scalars.map((name) => node('Gather', [`${name}_table`, name], `${name}_vector`, { axis: 0 })),
      node('Cast', ['past_valid_lengths'], 'place', TO.float),
      node('Mul', ['place', 'place_weights'], 'placed'),
      node('Sum', ['global_hidden', 'placed', ...scalars.map((name) => `${name}_vector`)], 'x'),
      node('Reshape', ['x', 'by_head'], 'new_key'),
      node('Neg', ['new_key'], 'new_value'),
      node('Concat', ['local_past_key_0', 'new_key'], 'local_present_key_0', { axis: 1 }),
      node('Concat', ['local_past_value_0', 'new_value'], 'local_present_value_0', { axis: 1 }),
      node('Reshape', ['local_present_key_0', 'flat'], 'flat_keys'),
      node('ReduceMean', ['flat_keys'], 'mean_key', { axes: [1], keepdims: 0 }),
      node('Reshape', ['local_present_value_0', 'flat'], 'flat_values'),
      node('ReduceMax', ['flat_values'], 'most_value', { axes: [1], keepdims: 0 }),
      node('Sum', ['x', 'mean_key', 'most_value'], 'sum'),
      node('Tanh', ['sum'], 'state'),
      node('MatMul', ['state', 'text_weights'], 'text_scores'),
      node('Add', ['text_scores', 'text_bias'], 'text_logits'),
      node('MatMul', ['state', 'code_weights'], 'scores'),
      node('Reshape', ['scores', 'by_codebook'], 'audio_logits'),
    ],
    constants: [
      weight('text_token_id_table', [vocabulary, hidden], 0.5),
      weight('audio_token_id_table', [codebookSize, hidden], 0.5),
      weight('channel_index_table', [codebooks, hidden], 0.5),
      weight('step_type_table', [3, hidden], 0.5),
      weight('place_weights', [1, hidden], 0.1),
      weight('text_weights', [hidden, vocabulary], 0.2),
      // Going on (9) is likelier than the end (7).
      floats('text_bias', [vocabulary], (token) => (token === 9 ? 0.7 : 0)),
      weight('code_weights', [hidden, codebooks * codebookSize], 2),
      integers('by_codebook', [1, codebooks, codebookSize]),
      integers('by_head', [1, 1, heads, headSize]),
      integers('flat', [1, -1, hidden]),
    ],
    inputs: [
      float('global_hidden', 1, hidden),
      ...scalars.map((name) => int32(name, 1)),
      int32('past_valid_lengths', 1),
      cache('local_past_key_0'),
      cache('local_past_value_0'),
    ],
    outputs: [
      float('text_logits', 1, vocabulary),
      float('audio_logits', 1, codebooks, codebookSize),
      cache('local_present_key_0'),
      cache('local_present_value_0'),
    ],
    metadata: {},
  });
}

/** Samples of both channels from each frame and the one before, fainter at some places. */
export function codecDecodeGraph(): Buffer {
  const window = (name: string) => float(name, 1, 1, codecContext, codebooks);
  return encodeTypedOnnx({
    nodes: [
      node('Cast', ['audio_codes'], 'levels', TO.float),
      node('Mul', ['levels', 'level_scale'], 'scaled'),
      node('Sub', ['scaled', 'one'], 'frames'),
      node('Unsqueeze', ['frames', 'axis_1'], 'new_rows'),
      node('Concat', ['attn_cached_keys_0', 'new_rows'], 'all_keys', { axis: 2 }),
      node('Slice', ['all_keys', 'from_last', 'to_end', 'axis_2'], 'attn_cached_keys_out_0'),
      node('Slice', ['all_keys', 'from_before', 'to_before', 'axis_2'], 'before_rows'),
      node('Squeeze', ['before_rows', 'axis_1'], 'before'),
      node('Concat', ['attn_cached_values_0', 'new_rows'], 'all_values', { axis: 2 }),
      node('Slice', ['all_values', 'from_last', 'to_end', 'axis_2'], 'attn_cached_values_out_0'),
      // The places of the frames in their stream.
      node('Shape', ['audio_codes'], 'shape'),
      node('Gather', ['shape', 'second'], 'count', { axis: 0 }),
      node('Range', ['zero', 'count', 'step'], 'ahead'),
      node('Cast', ['attn_offset_0'], 'offset', TO.int64),
      node('Add', ['ahead', 'offset'], 'places'),
      node('Unsqueeze', ['places', 'axis_0'], 'place_row'),
      node('Cast', ['attn_cached_positions_0'], 'past_places', TO.int64),
      node('Concat', ['past_places', 'place_row'], 'all_places', { axis: 1 }),
      node('Slice', ['all_places', 'from_last', 'to_end', 'axis_1'], 'kept_places'),
      node('Cast', ['kept_places'], 'attn_cached_positions_out_0', TO.int32),
      node('Cast', ['count'], 'count_32', TO.int32),
      node('Add', ['attn_offset_0', 'count_32'], 'attn_offset_out_0'),
      node('Add', ['transformer_offset_0', 'count_32'], 'transformer_offset_out_0'),
      node('Cast', ['place_row'], 'place_floats', TO.float),
      node('Sin', ['place_floats'], 'waves'),
      node('Mul', ['waves', 'faint'], 'changes'),
      node('Unsqueeze', ['changes', 'axis_2'], 'change_column'),
      node('Mul', ['before', 'faint'], 'echo'),
      node('Sum', ['frames', 'echo', 'change_column'], 'mixed'),
      node('MatMul', ['mixed', 'basis'], 'sound'),
      node('Reshape', ['sound', 'by_channel'], 'by_frame'),
      node('Transpose', ['by_frame'], 'channels', { perm: [0, 2, 1, 3] }),
      node('Reshape', ['channels', 'two_channels'], 'audio'),
      node('Cast', ['audio_code_lengths'], 'lengths', TO.int64),
      node('Mul', ['lengths', 'frame_samples'], 'sample_counts'),
      node('Cast', ['sample_counts'], 'audio_lengths', TO.int32),
    ],
    constants: [
      floats('level_scale', [1], () => 2 / codebookSize),
      floats('one', [1], () => 1),
      floats('faint', [1], () => 0.3),
      // Each code sets the level of a tone in both channels, softer at the ends of a frame.
      floats('basis', [codebooks, 2 * frameSamples], (code, at) => {
        const time = (at % frameSamples) / frameSamples;
        const channel = at < frameSamples ? 1 : 0.8;
        return 0.15 * channel * Math.sin(Math.PI * time) * Math.sin(2 * Math.PI * 16 * (code + 1) * time);
      }),
      integers('axis_0', [0]),
      integers('axis_1', [1]),
      integers('axis_2', [2]),
      integers('second', [1]),
      { name: 'zero', dims: [], data: BigInt64Array.of(0n) },
      { name: 'step', dims: [], data: BigInt64Array.of(1n) },
      integers('from_last', [-codecContext]),
      integers('to_end', [1_000_000]),
      integers('from_before', [codecContext - 1]),
      integers('to_before', [-1]),
      integers('by_channel', [1, -1, 2, frameSamples]),
      integers('two_channels', [1, 2, -1]),
      integers('frame_samples', [frameSamples]),
    ],
    inputs: [
      int32('audio_codes', 1, 'frames', codebooks),
      int32('audio_code_lengths', 1),
      int32('transformer_offset_0', 1),
      int32('attn_offset_0', 1),
      window('attn_cached_keys_0'),
      window('attn_cached_values_0'),
      int32('attn_cached_positions_0', 1, codecContext),
    ],
    outputs: [
      float('audio', 1, 2, 'samples'),
      int32('audio_lengths', 1),
      int32('transformer_offset_out_0', 1),
      int32('attn_offset_out_0', 1),
      window('attn_cached_keys_out_0'),
      window('attn_cached_values_out_0'),
      int32('attn_cached_positions_out_0', 1, codecContext),
    ],
    metadata: {},
  });
}

/** The loudness of each frame as its codes. */
export function codecEncodeGraph(): Buffer {
  return encodeTypedOnnx({
    nodes: [
      node('Cast', ['input_lengths'], 'lengths', TO.int64),
      node('Div', ['lengths', 'frame_samples'], 'counts'),
      node('Cast', ['counts'], 'audio_code_lengths', TO.int32),
      node('Mul', ['counts', 'frame_samples'], 'ends'),
      node('Slice', ['waveform', 'start', 'ends', 'axis_2'], 'whole_frames'),
      node('Reshape', ['whole_frames', 'by_frame'], 'framed'),
      node('Abs', ['framed'], 'levels'),
      node('ReduceMean', ['levels'], 'means', { axes: [1, 3], keepdims: 0 }),
      node('Unsqueeze', ['means', 'axis_2'], 'column'),
      node('Mul', ['column', 'scales'], 'scaled'),
      node('Floor', ['scaled'], 'floored'),
      node('Min', ['floored', 'last_code'], 'codes'),
      node('Cast', ['codes'], 'audio_codes', TO.int32),
    ],
    constants: [
      integers('frame_samples', [frameSamples]),
      integers('start', [0]),
      integers('axis_2', [2]),
      integers('by_frame', [1, 2, -1, frameSamples]),
      floats('scales', [codebooks], (code) => 60 * (code + 1)),
      floats('last_code', [1], () => codebookSize - 1),
    ],
    inputs: [float('waveform', 1, 2, 'samples'), int32('input_lengths', 1)],
    outputs: [int32('audio_codes', 1, 'frames', codebooks), int32('audio_code_lengths', 1)],
    metadata: {},
  });
}
