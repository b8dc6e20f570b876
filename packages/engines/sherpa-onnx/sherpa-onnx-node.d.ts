/**
 * Declares the parts of the package used here, checked against 1.13.8; its own types are outdated.
 */
declare module 'sherpa-onnx-node' {
  export type OfflineRecognizerConfig = {
    featConfig: { sampleRate: number; featureDim: number };
    modelConfig: {
      transducer?: { encoder: string; decoder: string; joiner: string };
      wenetCtc?: { model: string };
      senseVoice?: { model: string; language: string; useInverseTextNormalization: number };
      whisper?: { encoder: string; decoder: string; language: string; task: 'transcribe'; tailPaddings: number };
      fireRedAsr?: { encoder: string; decoder: string };
      qwen3Asr?: {
        convFrontend: string;
        encoder: string;
        decoder: string;
        tokenizer: string;
        maxTotalLen: number;
        maxNewTokens: number;
      };
      tokens: string;
      numThreads: number;
      provider: 'cpu' | 'cuda';
      debug: 0;
    };
    decodingMethod?: 'greedy_search' | 'modified_beam_search';
    maxActivePaths?: number;
    hotwordsScore?: number;
    /** Score subtracted from that of a blank. */
    blankPenalty?: number;
  };

  export type OfflineRecognizerResult = {
    text: string;
    tokens: string[];
    /**
     * Seconds at which the tokens begin, from the start of the stream; empty when the model returns
     * none.
     */
    timestamps: number[];
    /**
     * Whisper's code or SenseVoice's tag, empty when inference failed; always empty for other
     * types.
     */
    lang: string;
  };

  export class OfflineStream {
    acceptWaveform(sound: { samples: Float32Array; sampleRate: number }): void;
    setOption(key: string, value: string): void;
  }

  export class OfflineRecognizer {
    static createAsync(config: OfflineRecognizerConfig): Promise<OfflineRecognizer>;
    createStream(hotwords?: string): OfflineStream;
    setConfig(config: OfflineRecognizerConfig): void;
    decodeAsync(stream: OfflineStream): Promise<OfflineRecognizerResult>;
  }

  export class OfflinePunctuation {
    constructor(config: { model: { ctTransformer: string; numThreads: number; provider: 'cpu'; debug: 0 } });
    addPunct(text: string): string;
  }

  export class OfflineSpeakerDiarization {
    constructor(config: {
      segmentation: { pyannote: { model: string }; numThreads: number; provider: 'cpu' | 'cuda'; debug: 0 };
      embedding: { model: string; numThreads: number; provider: 'cpu' | 'cuda'; debug: 0 };
      /** `numClusters` is -1 to let the threshold determine the number. */
      clustering: { numClusters: number; threshold: number };
      /** Durations in seconds: shorter speech is dropped, shorter pauses are filled. */
      minDurationOn: number;
      minDurationOff: number;
    });
    setConfig(config: { clustering: { numClusters: number; threshold: number } }): void;
    /** Argument of the addon's functions. */
    readonly handle: { readonly native: unique symbol };
  }

  export class SpeakerEmbeddingExtractor {
    constructor(config: { model: string; numThreads: number; provider: 'cpu' | 'cuda'; debug: 0 });
    createStream(): OnlineStream;
    /** Copies the numbers when `isExternal` is false, which works in every runtime. */
    compute(stream: OnlineStream, isExternal: boolean): Float32Array;
  }

  export type OfflineTtsConfig = {
    model: {
      vits?: { model: string; lexicon: string; tokens: string };
      kokoro?: { model: string; voices: string; tokens: string; dataDir: string; lexicon: string };
      matcha?: { acousticModel: string; vocoder: string; tokens: string; lexicon?: string; dataDir?: string };
      zipvoice?: {
        encoder: string;
        decoder: string;
        vocoder: string;
        tokens: string;
        lexicon: string;
        dataDir: string;
      };
      numThreads: number;
      provider: 'cpu' | 'cuda';
      debug: 0;
    };
    /** Number of sentences per inference. */
    maxNumSentences: number;
  };

  export class OfflineTts {
    static createAsync(config: OfflineTtsConfig): Promise<OfflineTts>;
    readonly sampleRate: number;
    /**
     * Copies the samples when `enableExternalBuffer` is false, which works in every runtime. With a
     * `generationConfig`, `sid` and `speed` beside it are ignored.
     */
    generateAsync(request: {
      text: string;
      sid: number;
      speed: number;
      enableExternalBuffer: false;
      generationConfig?: {
        speed: number;
        referenceAudio: Float32Array;
        referenceSampleRate: number;
        referenceText: string;
        numSteps: number;
      };
    }): Promise<{ samples: Float32Array<ArrayBuffer>; sampleRate: number }>;
  }

  export class OnlineStream {
    acceptWaveform(sound: { samples: Float32Array; sampleRate: number }): void;
    inputFinished(): void;
  }

  export type OnlineRecognizerConfig = {
    featConfig: { sampleRate: number; featureDim: number };
    modelConfig: {
      transducer?: { encoder: string; decoder: string; joiner: string };
      paraformer?: { encoder: string; decoder: string };
      tokens: string;
      numThreads: number;
      provider: 'cpu' | 'cuda';
      debug: 0;
    };
    enableEndpoint: boolean;
  };

  /** Decodes on the calling thread. */
  export class OnlineRecognizer {
    constructor(config: OnlineRecognizerConfig);
    createStream(): OnlineStream;
    /** Returns true if the stream has enough sound for the next chunk. */
    isReady(stream: OnlineStream): boolean;
    decode(stream: OnlineStream): void;
    /** `timestamps` are the seconds at which the tokens begin; empty for Paraformer. */
    getResult(stream: OnlineStream): { text: string; tokens: string[]; timestamps: number[] };
  }

  /** The package is CommonJS, so an import has its classes on the default export only. */
  const sherpa: {
    OfflineRecognizer: typeof OfflineRecognizer;
    OfflinePunctuation: typeof OfflinePunctuation;
    OfflineSpeakerDiarization: typeof OfflineSpeakerDiarization;
    SpeakerEmbeddingExtractor: typeof SpeakerEmbeddingExtractor;
    OfflineTts: typeof OfflineTts;
    OnlineRecognizer: typeof OnlineRecognizer;
  };
  export default sherpa;
}

/** Declares the native functions behind the package's classes; one of them has no class method. */
declare module 'sherpa-onnx-node/addon.js' {
  import type { OfflineSpeakerDiarization } from 'sherpa-onnx-node';

  const addon: {
    /** Times in seconds. `onProgress` receives the processed and total number of speech regions. */
    offlineSpeakerDiarizationProcessAsync(
      handle: OfflineSpeakerDiarization['handle'],
      samples: Float32Array,
      onProgress: (done: number, all: number) => void,
    ): Promise<{ start: number; end: number; speaker: number }[]>;
  };
  export default addon;
}
