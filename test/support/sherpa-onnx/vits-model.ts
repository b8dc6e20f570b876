import { encodeTypedOnnx, floats, integers, node } from './typed-onnx.ts';
import { float, int64, type ModelFiles } from './recognizer-models.ts';

/** Sample rate of the test model and of the real one. */
const VOICE_RATE_HZ = 22_050;
/** Duration of a token at speed 1. */
const TOKEN_SAMPLES = 1_800;

/** Marks hum, because the library shortens silence. Softer than a word, for tests of the words. */
const MARK_LEVEL = 0.09;
const MARK_HZ = 90;
const isMark = (token: string | undefined) => token !== undefined && ',.!?'.includes(token);

/** Words of the dictionary with their tone frequencies. */
export const SUNG_WORDS_HZ: Readonly<Record<string, number>> = {
  早: 300,
  晨: 180,
  大: 150,
  家: 320,
  呀: 220,
  長: 200,
  廣: 260,
  東: 310,
  話: 160,
  讲: 250,
  o: 340,
  k: 280,
};

/**
 * Sings one tone per word. Inputs, outputs and metadata as in vits-cantonese-hf-xiaomaiiwn,
 * exported by sherpa-onnx's script: `x` are tokens with blanks in between, `length_scale` stretches
 * each.
 */
export function vitsFiles(): ModelFiles {
  const words = Object.entries(SUNG_WORDS_HZ);
  // As in the real table, which has no full-width marks, unlike the metadata below.
  const tokens = [
    '_',
    ',',
    '.',
    '!',
    '?',
    '~',
    '…',
    '─',
    ' ',
    ...words.map((_, index) => String.fromCodePoint(0x250 + index)),
  ];
  const first = tokens.length - words.length;
  const hzOf = (token: number) => (isMark(tokens[token]) ? MARK_HZ : (words[token - first]?.[1] ?? 0));
  const radiansOf = (token: number) => (2 * Math.PI * hzOf(token)) / VOICE_RATE_HZ;
  const levelOf = (token: number) => (isMark(tokens[token]) ? MARK_LEVEL : token < first ? 0 : 0.6);
  const model = encodeTypedOnnx({
    nodes: [
      node('Gather', ['radians', 'x'], 'radians_of'),
      node('Gather', ['levels', 'x'], 'levels_of'),
      node('Unsqueeze', ['radians_of', 'last'], 'radians_column'),
      node('Unsqueeze', ['levels_of', 'last'], 'levels_column'),
      node('Squeeze', ['length_scale'], 'stretch'),
      node('Mul', ['stretch', 'token_samples'], 'samples'),
      node('Range', ['zero', 'samples', 'one'], 'time'),
      node('Div', ['time', 'samples'], 'place'),
      node('Mul', ['place', 'pi'], 'half_turn'),
      // Soft edges avoid clicks between tokens.
      node('Sin', ['half_turn'], 'swell'),
      node('Mul', ['radians_column', 'time'], 'angle'),
      node('Sin', ['angle'], 'tone'),
      node('Mul', ['tone', 'swell'], 'shaped'),
      node('Mul', ['shaped', 'levels_column'], 'loud'),
      node('Reshape', ['loud', 'one_row'], 'y'),
    ],
    constants: [
      floats('radians', [tokens.length], radiansOf),
      floats('levels', [tokens.length], levelOf),
      integers('last', [-1]),
      integers('one_row', [1, 1, -1]),
      { name: 'token_samples', dims: [], data: new Float32Array([TOKEN_SAMPLES]) },
      { name: 'zero', dims: [], data: new Float32Array([0]) },
      { name: 'one', dims: [], data: new Float32Array([1]) },
      { name: 'pi', dims: [], data: new Float32Array([Math.PI]) },
    ],
    inputs: [
      int64('x', 'N', 'L'),
      int64('x_length', 'N'),
      float('noise_scale', 1),
      float('length_scale', 1),
      float('noise_scale_w', 1),
      int64('sid', 1),
    ],
    outputs: [float('y', 'N', 1, 'T')],
    metadata: {
      model_type: 'vits',
      comment: 'vits-cantonese-hf-xiaomaiiwn',
      language: 'Chinese',
      add_blank: 1,
      n_speakers: 1,
      sample_rate: VOICE_RATE_HZ,
      punctuation: ', . ! ? ~ … ─ ， 。 ！ ？ -',
    },
  });
  return {
    'vits-cantonese-hf-xiaomaiiwn.onnx': model,
    'tokens.txt': tokens.map((token, index) => `${token} ${index}\n`).join(''),
    'lexicon.txt': words.map(([word], index) => `${word} ${tokens[first + index] ?? ''}\n`).join(''),
  };
}
