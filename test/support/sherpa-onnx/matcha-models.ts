import { float, int64, tokensFile, type ModelFiles } from './recognizer-models.ts';
import { encodeTypedOnnx, floats, integers, node } from './typed-onnx.ts';

const BANDS = 80;
const BINS = 513;
const RATE_HZ = 22_050;
/** The vocoder makes this many frames of a token at speed 1, and this many samples of a frame. */
const TOKEN_FRAMES = 20;
export const TOKEN_SECONDS = (TOKEN_FRAMES * 256) / RATE_HZ;

const TOKENS = ['_', '，', '。', '！', '？', 'ni3', 'hao3', 'ma1'];
/**
 * Spectral line of each token; marks and blanks are silent. Multiples of four: with a hop of a
 * quarter of the window, frames without a phase add up.
 */
const lineOf = (token: number) => (token < 5 ? -1 : 12 + 20 * (token - 5));

/**
 * A tone for each syllable of 你好媽. Inputs, outputs and metadata as in matcha-icefall-zh-baker: the
 * table has full-width marks, and blanks stand between the tokens.
 */
export function matchaFiles(): ModelFiles {
  const model = encodeTypedOnnx({
    nodes: [
      node('Gather', ['spectra', 'x'], 'spectrum'),
      node('Mul', ['length_scale', 'frames_of_token'], 'frames_float'),
      node('Cast', ['frames_float'], 'frames', { to: 7 }),
      node('Concat', ['one', 'one', 'frames', 'one'], 'repeats', { axis: 0 }),
      node('Unsqueeze', ['spectrum', 'two'], 'column'),
      node('Tile', ['column', 'repeats'], 'repeated'),
      node('Reshape', ['repeated', 'rows'], 'rows_of_frames'),
      node('Transpose', ['rows_of_frames'], 'mel', { perm: [0, 2, 1] }),
    ],
    constants: [
      floats('spectra', [TOKENS.length, BANDS], (token, band) => (lineOf(token) === band ? 100 : 0)),
      floats('frames_of_token', [1], () => TOKEN_FRAMES),
      integers('one', [1]),
      integers('two', [2]),
      integers('rows', [1, -1, BANDS]),
    ],
    inputs: [int64('x', 'N', 'L'), int64('x_length', 'N'), float('noise_scale', 1), float('length_scale', 1)],
    outputs: [float('mel', 'N', BANDS, 'T')],
    metadata: {
      model_type: 'matcha-tts',
      version: 1,
      language: 'Chinese',
      jieba: 1,
      has_espeak: 0,
      n_speakers: 1,
      sample_rate: RATE_HZ,
      use_eos_bos: 0,
      pad_id: 0,
    },
  });
  return {
    'model-steps-3.onnx': model,
    'tokens.txt': tokensFile(TOKENS),
    'lexicon.txt': '你 ni3\n好 hao3\n媽 ma1\n',
  };
}

/** Turns each band of the spectrum into the line of the same number. As vocos-22khz-univ.onnx. */
export function vocosFiles(): ModelFiles {
  const model = encodeTypedOnnx({
    nodes: [
      node('MatMul', ['lines', 'mels'], 'mag'),
      node('Mul', ['mag', 'zero'], 'y'),
      node('Add', ['y', 'unit'], 'x'),
    ],
    constants: [
      floats('lines', [1, BINS, BANDS], (_, line, band) => (line === band ? 1 : 0)),
      { name: 'zero', dims: [], data: new Float32Array([0]) },
      { name: 'unit', dims: [], data: new Float32Array([1]) },
    ],
    inputs: [float('mels', 'N', BANDS, 'T')],
    outputs: [float('mag', 'N', BINS, 'T'), float('x', 'N', BINS, 'T'), float('y', 'N', BINS, 'T')],
    metadata: {
      model_type: 'vocos',
      n_fft: 1_024,
      hop_length: 256,
      win_length: 1_024,
      center: 1,
      normalized: 0,
      window_type: 'hann',
      pad_mode: 'reflect',
    },
  });
  return { 'vocos-22khz-univ.onnx': model };
}
