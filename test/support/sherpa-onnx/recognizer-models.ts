import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MANIFEST_FILE } from '#packages/engines/runtime/model-files/installed.ts';
import { everyFrame, SAMPLE_SCALE_LOG_ENERGY, scoreTokens, THRESHOLD, type TokenScore } from './score-tokens.ts';
import { encodeTypedOnnx, floats, integers, node, type TypedValue } from './typed-onnx.ts';

/** Files of a package by path. */
export type ModelFiles = Record<string, Buffer | string>;

/** Installs files as a package, like the model store after a download. */
export async function installTestModel(modelsDir: string, name: string, files: ModelFiles): Promise<void> {
  const folder = join(modelsDir, name);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const sha256 = '0'.repeat(64);
  const manifest = { format: 1, name, url: 'made-up', sha256, installedAt: new Date(0).toISOString(), files: [] };
  await writeFile(join(folder, MANIFEST_FILE), JSON.stringify(manifest));
}

export const float = (name: string, ...dims: (number | string)[]): TypedValue => ({ name, type: 'float', dims });
export const int64 = (name: string, ...dims: (number | string)[]): TypedValue => ({ name, type: 'int64', dims });
export const int32 = (name: string, ...dims: (number | string)[]): TypedValue => ({ name, type: 'int32', dims });

export function tokensFile(tokens: readonly string[]): string {
  return tokens.map((token, index) => `${token} ${index}\n`).join('');
}

/**
 * Recognizes whistles 0 香 1 港 2 人 3 「▁hel」 4 「lo」 5 系: characters and two parts of a word. Model
 * type wenetCtc.
 */
export function wenetCtcFiles(): ModelFiles {
  const tokens = ['<blank>', '<unk>', '香', '港', '人', '▁hel', 'lo', '系', '<sos/eos>'];
  const scoring: TokenScore[] = ['blank', null, ...[0, 1, 2, 3, 4, 5].map((whistle) => ({ whistle })), null];
  const frames = everyFrame(4, 'x', 'frames');
  const scores = scoreTokens('frames', 'log_probs', scoring, { addedLogEnergy: SAMPLE_SCALE_LOG_ENERGY });
  const model = encodeTypedOnnx({
    nodes: [...frames.nodes, ...scores.nodes, ...lengthNodes('x_lens', 'log_probs_lens')],
    constants: [...frames.constants, ...scores.constants, ...LENGTH_CONSTANTS],
    inputs: [float('x', 'N', 'T', 80), int64('x_lens', 'N')],
    outputs: [float('log_probs', 'N', 'T2', scoring.length), int64('log_probs_lens', 'N')],
    metadata: { model_type: 'wenet_ctc', vocab_size: scoring.length, subsampling_factor: 4 },
  });
  return { 'model.int8.onnx': model, 'tokens.txt': tokensFile(tokens) };
}

const LENGTH_CONSTANTS = [integers('three', [3]), integers('four', [4])];

/** Number of frames after taking every fourth. */
function lengthNodes(from: string, to: string) {
  return [node('Add', [from, 'three'], `${to}_up`), node('Div', [`${to}_up`, 'four'], to)];
}

const SENSE_VOICE_LANGUAGES = { auto: 0, zh: 3, en: 4, yue: 7, ja: 11, ko: 12 };
const SENSE_VOICE_ROWS = 16;
const WITH_ITN = 14;
const tagOf = (row: number) => (row === 4 ? '<|en|>' : row === 3 ? '<|zh|>' : '<|yue|>');

/**
 * Recognizes whistles 0 香 1 港 2 人 3 早 4 晨 in Chinese, hong kong people good morning in English; 5
 * is a comma if inverse text normalization is on. The language is in the tag and the text. Model
 * type senseVoice.
 */
export function senseVoiceFiles(): ModelFiles {
  const tags = ['<|zh|>', '<|en|>', '<|yue|>', '<|NEUTRAL|>', '<|Speech|>', '<|withitn|>', '<|woitn|>'];
  const chinese = ['香', '港', '人', '早', '晨'];
  const english = ['▁hong', '▁kong', '▁people', '▁good', '▁morning'];
  const tokens = ['<unk>', ...tags, ...chinese, ...english, '，'];
  const at = (token: string) => tokens.indexOf(token);
  const scoring = tokens.map((token): TokenScore => {
    if (token === '<unk>') return 'blank';
    if (token === '，') return { whistle: 5 };
    const whistle = Math.max(chinese.indexOf(token), english.indexOf(token));
    return whistle < 0 ? null : { whistle };
  });
  const scores = scoreTokens('x', 'recognized', scoring, {
    highHz: 8_000,
    stacked: 7,
    addedLogEnergy: SAMPLE_SCALE_LOG_ENERGY,
  });
  const model = encodeTypedOnnx({
    nodes: [
      ...scores.nodes,
      node('Gather', ['by_language', 'language'], 'language_bias'),
      node('Gather', ['by_norm', 'text_norm'], 'norm_bias'),
      node('Add', ['language_bias', 'norm_bias'], 'bias'),
      node('Unsqueeze', ['bias', 'one'], 'bias_of_frames'),
      node('Add', ['recognized', 'bias_of_frames'], 'body'),
      node('Gather', ['head_by_language', 'language'], 'head'),
      node('Concat', ['head', 'body'], 'logits', { axis: 1 }),
    ],
    constants: [
      ...scores.constants,
      integers('one', [1]),
      floats('by_language', [SENSE_VOICE_ROWS, tokens.length], (row, token) =>
        (row === 4 ? chinese : english).includes(tokens[token] ?? '') ? -1_000 : 0,
      ),
      floats('by_norm', [SENSE_VOICE_ROWS, tokens.length], (row, token) =>
        row !== WITH_ITN && token === at('，') ? -1_000 : 0,
      ),
      floats('head_by_language', [SENSE_VOICE_ROWS, 4, tokens.length], (row, place, token) => {
        const head = [tagOf(row), '<|NEUTRAL|>', '<|Speech|>', '<|woitn|>'];
        return token === at(head[place] ?? '') ? 100 : 0;
      }),
    ],
    inputs: [float('x', 'N', 'T', 560), int32('x_length', 'N'), int32('language', 'N'), int32('text_norm', 'N')],
    outputs: [float('logits', 'N', 'T4', tokens.length)],
    metadata: {
      model_type: 'sense_voice_ctc',
      comment: 'made up',
      vocab_size: tokens.length,
      lfr_window_size: 7,
      lfr_window_shift: 6,
      normalize_samples: 0,
      with_itn: WITH_ITN,
      without_itn: 15,
      ...Object.fromEntries(Object.entries(SENSE_VOICE_LANGUAGES).map(([code, row]) => [`lang_${code}`, row])),
      neg_mean: Array.from({ length: 560 }, () => 0).join(','),
      inv_stddev: Array.from({ length: 560 }, () => 1).join(','),
    },
  });
  return { 'model.int8.onnx': model, 'tokens.txt': tokensFile(tokens) };
}

/**
 * How far an unsure token is below a blank: too far for its few frames together, unless blanks get
 * the published penalty of 1.2.
 */
const UNSURE = 2.5;

/**
 * Recognizes whistles 0 香 1 港 2 人 3 灣 4 仔; 環 scores slightly lower for 3, so that the hotword 環仔
 * selects it; 5 is 呀, which always scores less than a blank, as unsure tokens of the real model do.
 * Emits each token once, as the predictor forbids repeats. Model type transducer.
 */
export function transducerFiles(checkpoint = 'epoch-45-avg-35'): ModelFiles {
  const tokens = ['<blk>', '<sos/eos>', '<unk>', '香', '港', '人', '灣', '仔', '環', '呀'];
  const whistles = [0, 1, 2, 3, 4, 3, 5];
  const scoring: TokenScore[] = [
    'blank',
    null,
    null,
    ...whistles.map((whistle, at) => ({ whistle, bias: at === 5 ? -0.4 : 0 })),
  ];
  const frames = everyFrame(4, 'x', 'frames');
  const scores = scoreTokens('frames', 'encoder_out', scoring);
  const encoder = encodeTypedOnnx({
    nodes: [...frames.nodes, ...scores.nodes, ...lengthNodes('x_lens', 'encoder_out_lens')],
    constants: [...frames.constants, ...scores.constants, ...LENGTH_CONSTANTS],
    inputs: [float('x', 'N', 'T', 80), int64('x_lens', 'N')],
    outputs: [float('encoder_out', 'N', 'T2', scoring.length), int64('encoder_out_lens', 'N')],
    metadata: { model_type: 'zipformer2', version: 1, model_author: 'made up' },
  });
  const isSameSound = (a: number, b: number) => a > 2 && b > 2 && whistles[a - 3] === whistles[b - 3];
  const decoder = encodeTypedOnnx({
    nodes: [
      node('Gather', ['y', 'last'], 'before', { axis: 1 }),
      node('Gather', ['forbidden', 'before'], 'decoder_out'),
    ],
    constants: [
      { name: 'last', dims: [], data: new BigInt64Array([1n]) },
      floats('forbidden', [tokens.length, tokens.length], (before, token) => (isSameSound(before, token) ? -1_000 : 0)),
    ],
    inputs: [int64('y', 'N', 2)],
    outputs: [float('decoder_out', 'N', tokens.length)],
    metadata: { vocab_size: tokens.length, context_size: 2 },
  });
  const joiner = encodeTypedOnnx({
    nodes: [node('Add', ['encoder_out', 'decoder_out'], 'sum'), node('Min', ['sum', 'limit'], 'logit')],
    constants: [floats('limit', [tokens.length], (token) => (tokens[token] === '呀' ? THRESHOLD - UNSURE : 1_000))],
    inputs: [float('encoder_out', 'N', tokens.length), float('decoder_out', 'N', tokens.length)],
    outputs: [float('logit', 'N', tokens.length)],
    metadata: { joiner_dim: tokens.length },
  });
  return {
    [`encoder-${checkpoint}.int8.onnx`]: encoder,
    [`decoder-${checkpoint}.onnx`]: decoder,
    [`joiner-${checkpoint}.int8.onnx`]: joiner,
    'tokens.txt': tokensFile(tokens),
  };
}

const markOf = (token: string) => (token === '港' ? '，' : token === '吗' ? '？' : '_');

/** Puts a comma after 港 and a question mark after 嗎. Model type ctTransformer. */
export function punctuationFiles(): ModelFiles {
  const tokens = ['<unk>', '香', '港', '人', '吗'];
  const marks = ['<unk>', '_', '，', '。', '？', '、'];
  const model = encodeTypedOnnx({
    nodes: [node('Gather', ['marks', 'inputs'], 'logits')],
    constants: [
      floats('marks', [tokens.length, marks.length], (token, mark) =>
        marks[mark] === markOf(tokens[token] ?? '') ? 1 : 0,
      ),
    ],
    inputs: [int32('inputs', 'N', 'T'), int32('text_lengths', 'N')],
    outputs: [float('logits', 'N', 'T', marks.length)],
    metadata: {
      model_type: 'ct_transformer',
      tokens: tokens.join('|'),
      punctuations: marks.join('|'),
      unk_symbol: '<unk>',
      vocab_size: tokens.length,
    },
  });
  return { 'model.int8.onnx': model };
}
