import { espeakData } from './espeak-data.ts';
import { float, int64, tokensFile, type ModelFiles } from './recognizer-models.ts';
import { encodeTypedOnnx, floats, integers, node } from './typed-onnx.ts';

const BANDS = 100;
const BINS = 513;
const RATE_HZ = 24_000;
const WINDOW = 1_024;
/** The scale of HTK, for a mel filterbank from 0 Hz to half the sample rate. */
const melOf = (hz: number) => 1_127 * Math.log(1 + hz / 700);
const bandHz = (band: number) => 700 * (Math.exp(((band + 1) * melOf(RATE_HZ / 2)) / (BANDS + 1) / 1_127) - 1);
/** Multiples of four: with a hop of a quarter of the window, frames without a phase add up. */
const lineOf = (band: number) => 4 * Math.round((bandHz(band) * WINDOW) / RATE_HZ / 4);

/** English sounds are single characters, as in the real table; stress marks are left out. */
const TOKENS = [' ', ',', '.', '!', '?', 'n0', 'i3', 'h0', 'ao3', 'm0', 'a1', ...'wʌntuː'];
const FIRST_SOUND = 5;

/**
 * Hums in the loudest band of the reference, as long for each token as the reference takes for one
 * of its own; marks are silent. Inputs, outputs and metadata as in the distilled int8 ZipVoice:
 * Chinese words come from the dictionary, English ones from espeak-ng.
 */
export function zipvoiceFiles(): ModelFiles {
  const encoder = encodeTypedOnnx({
    nodes: [
      node('Shape', ['prompt_tokens'], 'prompt_shape'),
      node('Gather', ['prompt_shape', 'one'], 'prompt_count'),
      node('Cast', ['prompt_count'], 'prompt_count_float', { to: 1 }),
      node('Cast', ['prompt_features_len'], 'prompt_frames_float', { to: 1 }),
      node('Div', ['prompt_frames_float', 'prompt_count_float'], 'frames_of_token'),
      node('Div', ['frames_of_token', 'speed'], 'paced_frames'),
      node('Ceil', ['paced_frames'], 'whole_frames'),
      node('Cast', ['whole_frames'], 'frames', { to: 7 }),
      node('Gather', ['loudness', 'tokens'], 'loudness_of'),
      node('Unsqueeze', ['loudness_of', 'two'], 'column'),
      node('Mul', ['frames', 'bands'], 'repeats'),
      node('Concat', ['one', 'one', 'repeats'], 'tiling', { axis: 0 }),
      node('Tile', ['column', 'tiling'], 'repeated'),
      node('Reshape', ['repeated', 'rows'], 'of_text'),
      node('Concat', ['one', 'prompt_features_len', 'bands'], 'prompt_size', { axis: 0 }),
      node('Expand', ['nothing', 'prompt_size'], 'of_prompt'),
      node('Concat', ['of_prompt', 'of_text'], 'text_condition', { axis: 1 }),
    ],
    constants: [
      floats('loudness', [TOKENS.length], (token) => (token < FIRST_SOUND ? 0 : 1)),
      floats('nothing', [1, 1, 1], () => 0),
      integers('one', [1]),
      integers('two', [2]),
      integers('bands', [BANDS]),
      integers('rows', [1, -1, BANDS]),
    ],
    inputs: [
      int64('tokens', 'N', 'T'),
      int64('prompt_tokens', 'N', 'P'),
      int64('prompt_features_len', 1),
      float('speed', 1),
    ],
    outputs: [float('text_condition', 'N', 'F', BANDS)],
    metadata: { version: 1, model_author: 'k2-fsa', use_espeak: 1 },
  });
  // The velocity that leads from any noise to the wanted features at the end of the last step.
  const decoder = encodeTypedOnnx({
    nodes: [
      node('ReduceMax', ['speech_condition'], 'of_reference', { axes: [1], keepdims: 1 }),
      node('Mul', ['of_reference', 'text_condition'], 'wanted'),
      node('Sub', ['wanted', 'x'], 'way'),
      node('Sub', ['whole', 't'], 'rest'),
      node('Div', ['way', 'rest'], 'v'),
    ],
    constants: [floats('whole', [1], () => 1)],
    inputs: [
      float('t', 1),
      float('x', 'N', 'F', BANDS),
      float('text_condition', 'N', 'F', BANDS),
      float('speech_condition', 'N', 'F', BANDS),
      float('guidance_scale', 1),
    ],
    outputs: [float('v', 'N', 'F', BANDS)],
    metadata: {
      version: 1,
      feat_dim: BANDS,
      sample_rate: RATE_HZ,
      n_fft: WINDOW,
      hop_length: WINDOW / 4,
      window_length: WINDOW,
      num_mels: BANDS,
    },
  });
  return {
    'encoder.int8.onnx': encoder,
    'decoder.int8.onnx': decoder,
    'tokens.txt': tokensFile(TOKENS),
    'lexicon.txt': '你 n0 i3\n好 h0 ao3\n妈 m0 a1\n',
    ...espeakData(),
  };
}

/** Turns the loudest band (of logarithms) into the line of its frequency. As vocos_24khz.onnx. */
export function vocos24Files(): ModelFiles {
  const model = encodeTypedOnnx({
    nodes: [
      node('Exp', ['mels'], 'levels'),
      node('ReduceMax', ['levels'], 'loudest', { axes: [1], keepdims: 1 }),
      node('Mul', ['loudest', 'almost'], 'threshold'),
      node('Sub', ['levels', 'threshold'], 'above'),
      node('Relu', ['above'], 'peaks'),
      node('Sub', ['peaks', 'quiet'], 'above_noise'),
      node('Relu', ['above_noise'], 'loud_peaks'),
      node('MatMul', ['lines', 'loud_peaks'], 'mag'),
      node('Mul', ['mag', 'zero'], 'y'),
      node('Add', ['y', 'unit'], 'x'),
    ],
    constants: [
      floats('lines', [1, BINS, BANDS], (_, line, band) => (line === lineOf(band) ? 20 : 0)),
      floats('almost', [1], () => 0.95),
      // A silent frame has levels of one.
      floats('quiet', [1], () => 0.5),
      { name: 'zero', dims: [], data: new Float32Array([0]) },
      { name: 'unit', dims: [], data: new Float32Array([1]) },
    ],
    inputs: [float('mels', 'N', BANDS, 'T')],
    outputs: [float('mag', 'N', BINS, 'T'), float('x', 'N', BINS, 'T'), float('y', 'N', BINS, 'T')],
    metadata: {
      model_type: 'vocos',
      n_fft: WINDOW,
      hop_length: WINDOW / 4,
      win_length: WINDOW,
      center: 1,
      normalized: 0,
      window_type: 'hann',
      pad_mode: 'reflect',
    },
  });
  return { 'vocos_24khz.onnx': model };
}
