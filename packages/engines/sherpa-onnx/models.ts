import { join } from 'node:path';
import type { OfflineRecognizerConfig } from 'sherpa-onnx-node';
import type { RecognizerCapabilities } from '@jyutsing/contracts/recognizer';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { HARD_LIMIT_MS } from '@jyutsing/audio/speech/speech-cuts';
import type { Compute } from './variables.ts';

/** Settings for running a package of the catalogue. */
export type SherpaModel = {
  /** The name of both package and model. */
  name: string;
  /**
   * Quality by language: for Cantonese 100 less the mean of the published error rates on the seven
   * sets of the WSYue leaderboard; a model without that mean ranks by an estimate.
   * docs/engines-sherpa.md lists sets, decoding and sources.
   */
  quality: RecognizerCapabilities['languages'];
  /**
   * Unit that has times: tokens with start times become words; without them only segments have
   * times.
   */
  timestamps: 'word' | 'segment';
  /** True if a language model generates the text, which may be fluent without speech. */
  isGenerative: boolean;
  /**
   * How the language is set: not at all, by an instance per language, by the instance's settings,
   * or per stream.
   */
  languageBy: 'nothing' | 'instance' | 'setting' | 'stream';
  /** How the context is used: not at all, as hotwords of the model's tokens, or as a prompt. */
  contextAs: 'nothing' | 'hotwords' | 'prompt';
  /**
   * True if every successful result names a language; a result without a language is a failed
   * inference then.
   */
  namesLanguage: boolean;
  /** The longest stretch in milliseconds that it hears to its end; at most 20 s reach a model. */
  maxSegmentMs: number;
  /** The shortest sound in milliseconds that it takes; silence lengthens shorter ones. */
  minSoundMs: number;
  /** True to replace the token table by one that preserves all bytes: see whisper-tokens.ts. */
  encodesBytes: boolean;
  config(folder: string, language: Language, compute: Compute): OfflineRecognizerConfig;
};

type ModelConfig = Omit<OfflineRecognizerConfig['modelConfig'], 'numThreads' | 'provider' | 'debug'>;

const SENSE_VOICE_CODES: Readonly<Record<Language, string>> = { cantonese: 'yue', mandarin: 'zh', english: 'en' };
const WHISPER_CODES = SENSE_VOICE_CODES;
/** Language names in the prompt of Qwen3-ASR. */
export const QWEN_LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  cantonese: 'Cantonese',
  mandarin: 'Chinese',
  english: 'English',
};

/**
 * Token limit of Qwen3-ASR: 20 s of audio are 260 tokens, prompt and answer about as many again;
 * sherpa's default of 128 would truncate fast speech.
 */
const QWEN_MAX_TOTAL_TOKENS = 1_024;
const QWEN_MAX_NEW_TOKENS = 256;
/**
 * Penalty of blanks, from the commands published with the model: without it, many characters are
 * left out in favor of blanks.
 */
const ZIPFORMER_BLANK_PENALTY = 1.2;
/**
 * Score of a hotword, high enough to win over homophones, low enough not to insert hotwords that
 * were not spoken.
 */
const HOTWORDS_SCORE = 2;

const HEARS_ALL = { maxSegmentMs: HARD_LIMIT_MS, minSoundMs: 0 } as const;
const TIMED = { ...HEARS_ALL, timestamps: 'word', isGenerative: false, encodesBytes: false } as const;
const GENERATED = { ...HEARS_ALL, timestamps: 'segment', isGenerative: true } as const;
/** Public reports: what follows in a longer stretch is often left out by Qwen3-ASR. */
const QWEN_MAX_SEGMENT_MS = 12_000;
/**
 * The library lets FireRedASR write six tokens for each whole second of sound: none for less than
 * one, which silence after it mends.
 */
const FIRE_RED_MIN_SOUND_MS = 2_000;
/** An upload of X-ASR under the same name crashed on shorter sound. */
const X_ASR_MIN_SOUND_MS = 500;

/** All recognizers of the catalogue. */
export const SHERPA_MODELS: readonly SherpaModel[] = [
  {
    ...TIMED,
    name: 'wsyue-u2pp',
    // The published mean is that of attention rescoring; the package only has the CTC branch.
    quality: { cantonese: 92.36 },
    languageBy: 'nothing',
    contextAs: 'nothing',
    namesLanguage: false,
    config: (folder, _language, compute) =>
      complete(compute, {
        wenetCtc: { model: join(folder, 'model.int8.onnx') },
        tokens: join(folder, 'tokens.txt'),
      }),
  },
  senseVoice('sense-voice-yue-2025', { cantonese: 93.28, mandarin: 80, english: 75 }, false),
  senseVoice('sense-voice-2024', { cantonese: 92.75, mandarin: 92.16, english: 92.82 }, true),
  whisper('tiny', { mandarin: 60, english: 83 }),
  whisper('base', { mandarin: 70, english: 87 }),
  whisper('small', { mandarin: 83.34, english: 92.63 }),
  whisper('medium', { mandarin: 87, english: 94 }),
  whisper('large-v3', { cantonese: 80, mandarin: 89.52, english: 96.5 }),
  whisper('turbo', { cantonese: 76, mandarin: 88, english: 96 }),
  // The quality is an estimate: the published error rates (MDCC, read speech) do not compare with
  // WSYue's.
  transducer('zipformer-cantonese', { cantonese: 86 }, 'epoch-45-avg-35', ZIPFORMER_BLANK_PENALTY),
  // Estimates: its publisher states no error rates on the sets of the others.
  {
    ...transducer('x-asr-zh-en', { mandarin: 90, english: 90 }, 'epoch-99-avg-1', 0),
    minSoundMs: X_ASR_MIN_SOUND_MS,
  },
  {
    ...GENERATED,
    name: 'fire-red-asr2',
    minSoundMs: FIRE_RED_MIN_SOUND_MS,
    // Estimates from 5.15 and 8.54 on the two sets of WSYue, both below those of SenseVoice-Yue.
    quality: { cantonese: 93.4, mandarin: 95, english: 95 },
    languageBy: 'nothing',
    contextAs: 'nothing',
    namesLanguage: false,
    encodesBytes: false,
    config: (folder, _language, compute) =>
      complete(compute, {
        fireRedAsr: { encoder: join(folder, 'encoder.int8.onnx'), decoder: join(folder, 'decoder.int8.onnx') },
        tokens: join(folder, 'tokens.txt'),
      }),
  },
  {
    ...GENERATED,
    name: 'qwen3-asr-0.6b',
    maxSegmentMs: QWEN_MAX_SEGMENT_MS,
    quality: { cantonese: 92, mandarin: 94.03, english: 95.45 },
    languageBy: 'stream',
    contextAs: 'prompt',
    // The library never names a language for this type, so a failed inference looks like silence.
    namesLanguage: false,
    encodesBytes: false,
    config: (folder, _language, compute) =>
      complete(compute, {
        qwen3Asr: {
          convFrontend: join(folder, 'conv_frontend.onnx'),
          encoder: join(folder, 'encoder.int8.onnx'),
          decoder: join(folder, 'decoder.int8.onnx'),
          tokenizer: join(folder, 'tokenizer'),
          maxTotalLen: QWEN_MAX_TOTAL_TOKENS,
          maxNewTokens: QWEN_MAX_NEW_TOKENS,
        },
        tokens: '',
      }),
  },
];

/** A zipformer whose files are named after its checkpoint. */
function transducer(
  name: string,
  quality: SherpaModel['quality'],
  checkpoint: string,
  blankPenalty: number,
): SherpaModel {
  return {
    ...TIMED,
    name,
    quality,
    languageBy: 'nothing',
    contextAs: 'hotwords',
    namesLanguage: false,
    config: (folder, _language, compute) => ({
      ...complete(compute, {
        transducer: {
          encoder: join(folder, `encoder-${checkpoint}.int8.onnx`),
          decoder: join(folder, `decoder-${checkpoint}.onnx`),
          joiner: join(folder, `joiner-${checkpoint}.int8.onnx`),
        },
        tokens: join(folder, 'tokens.txt'),
      }),
      // Only this search supports hotwords.
      decodingMethod: 'modified_beam_search',
      maxActivePaths: 4,
      hotwordsScore: HOTWORDS_SCORE,
      blankPenalty,
    }),
  };
}

function senseVoice(name: string, quality: SherpaModel['quality'], hasPunctuation: boolean): SherpaModel {
  return {
    ...TIMED,
    name,
    quality,
    languageBy: 'instance',
    contextAs: 'nothing',
    namesLanguage: true,
    config: (folder, language, compute) =>
      complete(compute, {
        senseVoice: {
          model: join(folder, 'model.int8.onnx'),
          language: SENSE_VOICE_CODES[language],
          // The setting adds numbers and punctuation; the version tuned on Cantonese was not
          // trained for them.
          useInverseTextNormalization: hasPunctuation ? 1 : 0,
        },
        tokens: join(folder, 'tokens.txt'),
      }),
  };
}

function whisper(size: string, quality: SherpaModel['quality']): SherpaModel {
  return {
    ...GENERATED,
    name: `whisper-${size}`,
    quality,
    languageBy: 'setting',
    contextAs: 'nothing',
    namesLanguage: true,
    encodesBytes: true,
    config: (folder, language, compute) =>
      complete(compute, {
        whisper: {
          encoder: join(folder, `${size}-encoder.int8.onnx`),
          decoder: join(folder, `${size}-decoder.int8.onnx`),
          language: WHISPER_CODES[language],
          task: 'transcribe',
          tailPaddings: -1,
        },
        tokens: join(folder, `${size}-tokens.txt`),
      }),
  };
}

function complete({ threads, provider }: Compute, model: ModelConfig): OfflineRecognizerConfig {
  return {
    featConfig: { sampleRate: RECOGNIZER_SAMPLE_RATE_HZ, featureDim: 80 },
    modelConfig: { ...model, numThreads: threads, provider, debug: 0 },
  };
}
