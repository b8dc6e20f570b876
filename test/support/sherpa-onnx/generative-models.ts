import { loudestWhistles } from './score-tokens.ts';
import { encodeTypedOnnx, floats, integers, node } from './typed-onnx.ts';
import { WHISTLES_HZ } from './hum.ts';
import { float, int64, tokensFile, type ModelFiles } from './recognizer-models.ts';

/** A sentence of a test language model, selected by the sound and by tokens of the prompt. */
type Sentence = {
  characters: string[];
  /** Whistle that must be present. */
  whistle: number;
  /** Token that must be in the prompt; null when none must. */
  prompted: string | null;
};

const NEVER = -1_000;
const LIKELY = 100;
/** A missing whistle outweighs a matching prompt. */
const PER_LEVEL = 60;
const PER_PROMPT = 20;

/**
 * Bigram language model: after `after` comes the first character of a sentence, then the next ones,
 * then `end`. Sentences share no characters. Returns the scores of next tokens, and which prompt
 * tokens count.
 */
function pairs(vocabulary: readonly string[], sentences: readonly Sentence[], after: string, end: string) {
  const at = (token: string) => vocabulary.indexOf(token);
  const next = new Map<number, number[]>([[at(after), sentences.map(({ characters }) => at(characters[0] ?? ''))]]);
  for (const { characters } of sentences) {
    characters.forEach((character, index) => next.set(at(character), [at(characters[index + 1] ?? end)]));
  }
  const startOf = (token: number) => sentences.findIndex(({ characters }) => at(characters[0] ?? '') === token);
  const prompts = sentences.map(({ prompted }) => prompted);
  return {
    next: floats('next', [vocabulary.length, vocabulary.length], (before, token) =>
      next.get(before)?.includes(token) === true ? LIKELY : NEVER,
    ),
    bySound: floats('by_sound', [WHISTLES_HZ.length, vocabulary.length], (whistle, token) =>
      sentences[startOf(token)]?.whistle === whistle ? PER_LEVEL : 0,
    ),
    isPrompt: floats('is_prompt', [vocabulary.length, sentences.length], (token, sentence) => {
      const prompt = prompts[sentence] ?? null;
      return prompt !== null && vocabulary[token] === prompt ? 1 : 0;
    }),
    byPrompt: floats('by_prompt', [sentences.length, vocabulary.length], (sentence, token) =>
      startOf(token) === sentence ? PER_PROMPT : 0,
    ),
  };
}

const WHISPER_LANGUAGES = ['en', 'zh', 'yue'];
const WHISPER_CONTEXT = 448;

/** Writes 香港人 for every sound of a second or more. Model type fireRedAsr. */
export function fireRedFiles(): ModelFiles {
  const tokens = ['<blank>', '<unk>', '<pad>', '<sos>', '<eos>', '香', '港', '人'];
  const at = (token: string) => tokens.indexOf(token);
  const sentence = ['香', '港', '人', '<eos>'];
  const [layers, heads, size] = [1, 1, 2];
  const encoder = encodeTypedOnnx({
    nodes: [node('Slice', ['x', 'first', 'last', 'axes'], 'shape'), ...['k', 'v'].map(crossNode)],
    constants: [
      integers('first', [0, 0]),
      integers('last', [1, size]),
      integers('axes', [1, 2]),
      integers('zero', [0]),
    ],
    inputs: [float('x', 'N', 'T', 80), int64('x_length', 'N')],
    outputs: ['k', 'v'].map((part) => float(`cross_${part}`, layers, 'N', 'T2', size)),
    metadata: {
      num_decoder_layers: layers,
      num_head: heads,
      head_dim: size,
      sos: at('<sos>'),
      eos: at('<eos>'),
      max_len: 64,
      cmvn_mean: Array.from({ length: 80 }, () => 0).join(','),
      cmvn_inv_stddev: Array.from({ length: 80 }, () => 1).join(','),
    },
  });
  const cache = (name: string) => float(name, layers, 'N', 'L', heads, size);
  const cross = (name: string) => float(name, layers, 'N', 'T2', size);
  const decoder = encodeTypedOnnx({
    nodes: [
      node('Gather', ['by_offset', 'offset'], 'row'),
      node('Unsqueeze', ['row', 'zero'], 'logits'),
      node('Identity', ['self_k'], 'out_self_k'),
      node('Identity', ['self_v'], 'out_self_v'),
    ],
    constants: [
      integers('zero', [0]),
      floats('by_offset', [64, tokens.length], (offset, token) =>
        tokens[token] === (sentence[offset] ?? '<eos>') ? LIKELY : 0,
      ),
    ],
    inputs: [
      int64('tokens', 'N', 1),
      cache('self_k'),
      cache('self_v'),
      cross('cross_k'),
      cross('cross_v'),
      int64('offset', 1),
    ],
    outputs: [float('logits', 'N', 1, tokens.length), cache('out_self_k'), cache('out_self_v')],
    metadata: {},
  });
  return { 'encoder.int8.onnx': encoder, 'decoder.int8.onnx': decoder, 'tokens.txt': tokensFile(tokens) };
}

function crossNode(part: string) {
  return node('Unsqueeze', ['shape', 'zero'], `cross_${part}`);
}

/**
 * Whistle 0: 香港人 in Cantonese, 你好 in Mandarin, hello there in English; whistle 1: the hallucination
 * 字幕由社群提供. Only `large-v3` knows Cantonese, as the real models. 港 is split into two tokens. Model
 * type whisper.
 */
export function whisperFiles(size: string): ModelFiles {
  const isLarge = size === 'large-v3' || size === 'turbo';
  const bands = isLarge ? 128 : 80;
  const languages = WHISPER_LANGUAGES.slice(0, isLarge ? 3 : 2);
  const [half, otherHalf] = [Buffer.from('港').subarray(0, 1), Buffer.from('港').subarray(1)];
  const bytes: Record<string, Buffer> = { 港1: half, 港2: otherHalf };
  const text = ['香', '港1', '港2', '人', '你', '好', ' hello', ' there', '.', ...'字幕由社群提供'];
  const special = ['<eot>', '<sot>', ...languages.map((code) => `<${code}>`), '<translate>', '<transcribe>'];
  const vocabulary = [...text, ...special, '<nospeech>', '<notimestamps>', '<0.00>', '<0.02>'];
  const at = (token: string) => vocabulary.indexOf(token);
  const sentences: Sentence[] = [
    { characters: ['香', '港1', '港2', '人'], whistle: 0, prompted: '<yue>' },
    { characters: ['你', '好'], whistle: 0, prompted: '<zh>' },
    { characters: [' hello', ' there', '.'], whistle: 0, prompted: '<en>' },
    { characters: [...'字幕由社群提供'], whistle: 1, prompted: null },
  ];
  const model = pairs(vocabulary, sentences, '<notimestamps>', '<eot>');
  const levels = loudestWhistles('frames', 'levels', bands);
  const encoder = encodeTypedOnnx({
    nodes: [
      node('Transpose', ['mel'], 'frames', { perm: [0, 2, 1] }),
      ...levels.nodes,
      node('Reshape', ['levels', 'cross_shape'], 'n_layer_cross_k'),
      node('Identity', ['n_layer_cross_k'], 'n_layer_cross_v'),
    ],
    constants: [...levels.constants, integers('cross_shape', [1, 1, 1, WHISTLES_HZ.length])],
    inputs: [float('mel', 'N', bands, 'T')],
    outputs: [
      float('n_layer_cross_k', 1, 'N', 1, WHISTLES_HZ.length),
      float('n_layer_cross_v', 1, 'N', 1, WHISTLES_HZ.length),
    ],
    metadata: {
      model_type: `whisper-${size}`,
      version: 1,
      n_mels: bands,
      n_text_layer: 1,
      n_text_ctx: WHISPER_CONTEXT,
      n_text_state: sentences.length,
      n_vocab: vocabulary.length,
      sot: at('<sot>'),
      sot_index: 0,
      eot: at('<eot>'),
      blank_id: at('.'),
      translate: at('<translate>'),
      transcribe: at('<transcribe>'),
      is_multilingual: 1,
      no_speech: at('<nospeech>'),
      no_timestamps: at('<notimestamps>'),
      sot_sequence: [at('<sot>'), at('<en>'), at('<transcribe>')].join(','),
      all_language_tokens: languages.map((code) => at(`<${code}>`)).join(','),
      all_language_codes: languages.join(','),
    },
  });
  const cache = ['n_layer_self_k_cache', 'n_layer_self_v_cache'];
  const decoder = encodeTypedOnnx({
    nodes: [
      node('Gather', ['next', 'tokens'], 'from_tokens'),
      // Keep the prompt in the cache, as attention would.
      node('Gather', ['is_prompt', 'tokens'], 'prompts'),
      node('ReduceMax', ['prompts'], 'prompted_now', { axes: [1], keepdims: 0 }),
      node('Add', [`in_${cache[0]}`, 'prompted_now'], `out_${cache[0]}`),
      node('Identity', [`in_${cache[1]}`], `out_${cache[1]}`),
      node('ReduceMax', [`out_${cache[0]}`], 'prompted', { axes: [0, 2], keepdims: 0 }),
      node('MatMul', ['prompted', 'by_prompt'], 'from_prompt'),
      node('Reshape', ['n_layer_cross_k', 'sound_shape'], 'sound'),
      node('MatMul', ['sound', 'by_sound'], 'from_sound'),
      node('Add', ['from_prompt', 'from_sound'], 'from_both'),
      node('Unsqueeze', ['from_both', 'one'], 'of_step'),
      node('Add', ['from_tokens', 'of_step'], 'logits'),
    ],
    constants: [
      model.next,
      model.bySound,
      model.isPrompt,
      model.byPrompt,
      integers('one', [1]),
      integers('sound_shape', [1, WHISTLES_HZ.length]),
    ],
    inputs: [
      int64('tokens', 'N', 'n_tokens'),
      ...cache.map((name) => float(`in_${name}`, 1, 'N', WHISPER_CONTEXT, sentences.length)),
      float('n_layer_cross_k', 1, 'N', 1, WHISTLES_HZ.length),
      float('n_layer_cross_v', 1, 'N', 1, WHISTLES_HZ.length),
      int64('offset', 1),
    ],
    outputs: [
      float('logits', 'N', 'n_tokens', vocabulary.length),
      ...cache.map((name) => float(`out_${name}`, 1, 'N', WHISPER_CONTEXT, sentences.length)),
    ],
    metadata: {},
  });
  const lines = vocabulary.map(
    (token, index) => `${(bytes[token] ?? Buffer.from(token)).toString('base64')} ${index}\n`,
  );
  return {
    [`${size}-encoder.int8.onnx`]: encoder,
    [`${size}-decoder.int8.onnx`]: decoder,
    [`${size}-tokens.txt`]: lines.slice(0, text.length).join(''),
  };
}

const QWEN_CONTEXT = 1_024;
const QWEN_SPECIAL = [
  '<|endoftext|>',
  '<|im_start|>',
  '<|im_end|>',
  '<|audio_start|>',
  '<|audio_end|>',
  '<|audio_pad|>',
  '<asr_text>',
];

/** The real model has scores for more tokens than its tokenizer has; the others have no text. */
const QWEN_PADDING = 'padding';

/**
 * Whistle 0: 香港人, or 湾街 when the prompt contains 仔; whistle 1: no words. Model type qwen3Asr.
 */
export function qwen3AsrFiles(): ModelFiles {
  const alphabet = byteAlphabet();
  const written = (text: string) => [...Buffer.from(text)].map((byte) => alphabet[byte]).join('');
  const words = ['香', '港', '人', '。', '湾', '仔', '街', '！'].map(written);
  const vocabulary = [...alphabet, ...words, ...QWEN_SPECIAL, QWEN_PADDING];
  const sentences: Sentence[] = [
    { characters: ['香', '港', '人', '。'].map(written), whistle: 0, prompted: null },
    { characters: ['湾', '街', '！'].map(written), whistle: 0, prompted: written('仔') },
    // The library forbids an end as the first token.
    { characters: [QWEN_PADDING], whistle: 1, prompted: null },
  ];
  const model = pairs(vocabulary, sentences, '<asr_text>', '<|im_end|>');
  const width = WHISTLES_HZ.length;
  const levels = loudestWhistles('input_features', 'levels', 128);
  const convFrontend = encodeTypedOnnx({
    nodes: [
      ...levels.nodes,
      node('Unsqueeze', ['levels', 'one'], 'level_row'),
      // One output frame per eight feature frames, all equal.
      node('Slice', ['input_features', 'zero', 'end', 'one', 'eight'], 'every_eighth'),
      node('ReduceMax', ['every_eighth'], 'column', { axes: [2], keepdims: 1 }),
      node('Mul', ['column', 'nothing'], 'nothings'),
      node('Add', ['nothings', 'level_row'], 'conv_output'),
    ],
    constants: [
      ...levels.constants,
      integers('one', [1]),
      integers('zero', [0]),
      integers('end', [1_000_000]),
      integers('eight', [8]),
      floats('nothing', [1], () => 0),
    ],
    inputs: [float('input_features', 'N', 'T', 128)],
    outputs: [float('conv_output', 'N', 'A', width)],
    metadata: {},
  });
  const encoder = encodeTypedOnnx({
    nodes: [
      node('Cast', ['feature_attention_mask'], 'mask', { to: 1 }),
      node('Unsqueeze', ['mask', 'two'], 'mask_column'),
      node('Mul', ['conv_output', 'mask_column'], 'masked'),
      // Frames of zeros would be cut off as padding.
      node('Sub', ['masked', 'bit'], 'audio_features'),
    ],
    constants: [integers('two', [2]), floats('bit', [1], () => 0.001)],
    inputs: [float('conv_output', 'N', 'A', width), { name: 'feature_attention_mask', type: 'bool', dims: ['N', 'A'] }],
    outputs: [float('audio_features', 'N', 'A', width)],
    metadata: { model_type: 'qwen3-asr', hidden_size: width },
  });
  const past = ['past_key_0', 'past_value_0'];
  const decoder = encodeTypedOnnx({
    nodes: [
      node('Gather', ['next', 'input_ids'], 'from_tokens'),
      node('Gather', ['is_prompt', 'input_ids'], 'prompts'),
      node('ReduceMax', ['prompts'], 'prompted', { axes: [1], keepdims: 0 }),
      node('MatMul', ['prompted', 'by_prompt'], 'from_prompt'),
      node('ReduceMax', ['audio_features'], 'sound', { axes: [1], keepdims: 0 }),
      node('MatMul', ['sound', 'by_sound'], 'from_sound'),
      node('Add', ['from_prompt', 'from_sound'], 'from_both'),
      node('Unsqueeze', ['from_both', 'one'], 'of_step'),
      node('Add', ['from_tokens', 'of_step'], 'logits'),
      node('Cast', ['input_ids'], 'ids', { to: 1 }),
      node('Unsqueeze', ['ids', 'two_three'], 'key_delta_0'),
      node('Identity', ['key_delta_0'], 'value_delta_0'),
    ],
    constants: [
      model.next,
      model.bySound,
      model.isPrompt,
      model.byPrompt,
      integers('one', [1]),
      integers('two_three', [2, 3]),
    ],
    inputs: [
      int64('input_ids', 'N', 'S'),
      float('audio_features', 'N', 'A', width),
      int64('attention_mask', 'N', 'M'),
      int64('cache_position', 'S'),
      ...past.map((name) => float(name, 'N', QWEN_CONTEXT, 1, 1)),
    ],
    outputs: [
      float('logits', 'N', 'S', vocabulary.length),
      float('key_delta_0', 'N', 'S', 1, 1),
      float('value_delta_0', 'N', 'S', 1, 1),
    ],
    metadata: { model_type: 'qwen3-asr-kv_delta', vocab_size: vocabulary.length, num_layers: 1 },
  });
  const plain = [...alphabet, ...words];
  const added = QWEN_SPECIAL.map((content, index) => [plain.length + index, { content, special: true }]);
  return {
    'conv_frontend.onnx': convFrontend,
    'encoder.int8.onnx': encoder,
    'decoder.int8.onnx': decoder,
    'tokenizer/vocab.json': JSON.stringify(Object.fromEntries(plain.map((token, index) => [token, index]))),
    'tokenizer/merges.txt': `#version: 0.2\n${words.flatMap(mergesOf).join('\n')}\n`,
    'tokenizer/tokenizer_config.json': JSON.stringify({ added_tokens_decoder: Object.fromEntries(added) }),
  };
}

/** Merge rules of a word, two symbols at a time from the left. */
function mergesOf(word: string): string[] {
  const symbols = [...word];
  return symbols.slice(1).map((symbol, index) => `${symbols.slice(0, index + 1).join('')} ${symbol}`);
}

/** Printable characters for the 256 bytes, as in byte-level vocabularies. */
function byteAlphabet(): string[] {
  let unprintable = 0;
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrintable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    if (isPrintable) return String.fromCodePoint(byte);
    unprintable += 1;
    return String.fromCodePoint(255 + unprintable);
  });
}
