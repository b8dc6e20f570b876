import { join } from 'node:path';
import type { OfflineRecognizerConfig } from 'sherpa-onnx-node';
import type { RecognizerCapabilities } from '@jyutsing/contracts/recognizer';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';

/** How a package of the catalogue is run. */
export type SherpaModel = {
  /** The package's name, and the model's. */
  name: string;
  /** 100 less the published error rate; where the figures come from is told in docs/engines-sherpa.md. */
  quality: RecognizerCapabilities['languages'];
  /** Tokens with start times become words; without them only segments have times. */
  timestamps: 'word' | 'segment';
  /** Text comes from a language model over the sound, so it may be fluent where nothing was said. */
  isGenerative: boolean;
  /** How the language reaches it: not at all, by one instance each, by a change of the instance's settings, or with each stream. */
  languageBy: 'nothing' | 'instance' | 'setting' | 'stream';
  /** What it makes of a context: nothing, hotwords of its own tokens, or a prompt. */
  contextAs: 'nothing' | 'hotwords' | 'prompt';
  /** Every successful answer names a language, so one that does not is a model that could not be run. */
  namesLanguage: boolean;
  /** Its table of tokens is replaced so that no byte is lost: see whisper-tokens.ts. */
  writesStandIns: boolean;
  config(folder: string, language: Language, threads: number): OfflineRecognizerConfig;
};

type ModelConfig = Omit<OfflineRecognizerConfig['modelConfig'], 'numThreads' | 'provider' | 'debug'>;

const SENSE_VOICE_CODES: Readonly<Record<Language, string>> = { cantonese: 'yue', mandarin: 'zh', english: 'en' };
const WHISPER_CODES = SENSE_VOICE_CODES;
/** What Qwen3-ASR is told in its prompt. */
export const QWEN_LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  cantonese: 'Cantonese',
  mandarin: 'Chinese',
  english: 'English',
};

/** 20 s of sound are 260 tokens, a prompt and an answer about as many again; sherpa's 128 tokens would cut fast speech off. */
const QWEN_MAX_TOTAL_TOKENS = 1_024;
const QWEN_MAX_NEW_TOKENS = 256;
/** A spoken hotword beats what sounds the same without pushing itself in where it was not said. */
const HOTWORDS_SCORE = 2;

const TIMED = { timestamps: 'word', isGenerative: false, writesStandIns: false } as const;
const GENERATED = { timestamps: 'segment', isGenerative: true, namesLanguage: true } as const;

/** Every recogniser of the catalogue. */
export const SHERPA_MODELS: readonly SherpaModel[] = [
  {
    ...TIMED,
    name: 'wsyue-u2pp',
    quality: { cantonese: 94.95 },
    languageBy: 'nothing',
    contextAs: 'nothing',
    namesLanguage: false,
    config: (folder, _language, threads) =>
      complete(threads, {
        wenetCtc: { model: join(folder, 'model.int8.onnx') },
        tokens: join(folder, 'tokens.txt'),
      }),
  },
  senseVoice('sense-voice-yue-2025', { cantonese: 94.77, mandarin: 80, english: 75 }, false),
  senseVoice('sense-voice-2024', { cantonese: 93.31, mandarin: 92.16, english: 92.82 }, true),
  whisper('tiny', { mandarin: 60, english: 83 }),
  whisper('base', { mandarin: 70, english: 87 }),
  whisper('small', { mandarin: 83.34, english: 92.63 }),
  whisper('medium', { mandarin: 87, english: 94 }),
  whisper('large-v3', { cantonese: 87.05, mandarin: 89.52, english: 96.5 }),
  whisper('turbo', { cantonese: 80, mandarin: 88, english: 96 }),
  {
    ...TIMED,
    name: 'zipformer-cantonese',
    quality: { cantonese: 92.5 },
    languageBy: 'nothing',
    contextAs: 'hotwords',
    namesLanguage: false,
    config: (folder, _language, threads) => ({
      ...complete(threads, {
        transducer: {
          encoder: join(folder, 'encoder-epoch-45-avg-35.int8.onnx'),
          decoder: join(folder, 'decoder-epoch-45-avg-35.onnx'),
          joiner: join(folder, 'joiner-epoch-45-avg-35.int8.onnx'),
        },
        tokens: join(folder, 'tokens.txt'),
      }),
      // Hotwords are known to this search only.
      decodingMethod: 'modified_beam_search',
      maxActivePaths: 4,
      hotwordsScore: HOTWORDS_SCORE,
    }),
  },
  {
    ...GENERATED,
    name: 'qwen3-asr-0.6b',
    quality: { cantonese: 92, mandarin: 94.03, english: 95.45 },
    languageBy: 'stream',
    contextAs: 'prompt',
    writesStandIns: false,
    config: (folder, _language, threads) =>
      complete(threads, {
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

function senseVoice(name: string, quality: SherpaModel['quality'], writesMarks: boolean): SherpaModel {
  return {
    ...TIMED,
    name,
    quality,
    languageBy: 'instance',
    contextAs: 'nothing',
    namesLanguage: true,
    config: (folder, language, threads) =>
      complete(threads, {
        senseVoice: {
          model: join(folder, 'model.int8.onnx'),
          language: SENSE_VOICE_CODES[language],
          // Numbers and punctuation; the version tuned on Cantonese was never taught them.
          useInverseTextNormalization: writesMarks ? 1 : 0,
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
    writesStandIns: true,
    config: (folder, language, threads) =>
      complete(threads, {
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

function complete(threads: number, model: ModelConfig): OfflineRecognizerConfig {
  return {
    featConfig: { sampleRate: RECOGNIZER_SAMPLE_RATE_HZ, featureDim: 80 },
    modelConfig: { ...model, numThreads: threads, provider: 'cpu', debug: 0 },
  };
}
