/** The package's own types lag behind its addon; these are the parts that this folder calls, checked against 1.13.8. */
declare module 'sherpa-onnx-node' {
  export type OfflineRecognizerConfig = {
    featConfig: { sampleRate: number; featureDim: number };
    modelConfig: {
      transducer?: { encoder: string; decoder: string; joiner: string };
      wenetCtc?: { model: string };
      senseVoice?: { model: string; language: string; useInverseTextNormalization: number };
      whisper?: { encoder: string; decoder: string; language: string; task: 'transcribe'; tailPaddings: number };
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
      provider: 'cpu';
      debug: 0;
    };
    decodingMethod?: 'greedy_search' | 'modified_beam_search';
    maxActivePaths?: number;
    hotwordsScore?: number;
  };

  export type OfflineRecognizerResult = {
    text: string;
    tokens: string[];
    /** Seconds at which the tokens begin, from the start of the stream; empty where the model tells none. */
    timestamps: number[];
    /** Whisper's code or SenseVoice's tag; empty when the model could not be run. */
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
      segmentation: { pyannote: { model: string }; numThreads: number; provider: 'cpu'; debug: 0 };
      embedding: { model: string; numThreads: number; provider: 'cpu'; debug: 0 };
      /** `numClusters` -1: as many as the threshold makes. */
      clustering: { numClusters: number; threshold: number };
      /** Seconds: shorter speech is left out, shorter pauses are filled. */
      minDurationOn: number;
      minDurationOff: number;
    });
    /** What the functions of the addon take. */
    readonly handle: { readonly native: unique symbol };
  }

  export class SpeakerEmbeddingExtractor {
    constructor(config: { model: string; numThreads: number; provider: 'cpu'; debug: 0 });
    createStream(): OnlineStream;
    /** `isExternal` false: the numbers are copied, which every runtime allows. */
    compute(stream: OnlineStream, isExternal: boolean): Float32Array;
  }

  export type OfflineTtsConfig = {
    model: {
      vits: { model: string; lexicon: string; tokens: string };
      numThreads: number;
      provider: 'cpu';
      debug: 0;
    };
    /** So many sentences go through the model at once. */
    maxNumSentences: number;
  };

  export class OfflineTts {
    static createAsync(config: OfflineTtsConfig): Promise<OfflineTts>;
    readonly sampleRate: number;
    /** `enableExternalBuffer` false: the samples are copied, which every runtime allows. */
    generateAsync(request: {
      text: string;
      sid: number;
      speed: number;
      enableExternalBuffer: false;
    }): Promise<{ samples: Float32Array<ArrayBuffer>; sampleRate: number }>;
  }

  export class OnlineStream {
    acceptWaveform(sound: { samples: Float32Array; sampleRate: number }): void;
    inputFinished(): void;
  }

  /** The package is CommonJS: an import gives its classes on the default export only. */
  const sherpa: {
    OfflineRecognizer: typeof OfflineRecognizer;
    OfflinePunctuation: typeof OfflinePunctuation;
    OfflineSpeakerDiarization: typeof OfflineSpeakerDiarization;
    SpeakerEmbeddingExtractor: typeof SpeakerEmbeddingExtractor;
    OfflineTts: typeof OfflineTts;
  };
  export default sherpa;
}

/** The native functions under the package's classes; one of them has no class method. */
declare module 'sherpa-onnx-node/addon.js' {
  import type { OfflineSpeakerDiarization } from 'sherpa-onnx-node';

  const addon: {
    /** Times in seconds. `onProgress` hears how many of the stretches with speech are done, and how many there are. */
    offlineSpeakerDiarizationProcessAsync(
      handle: OfflineSpeakerDiarization['handle'],
      samples: Float32Array,
      onProgress: (done: number, all: number) => void,
    ): Promise<{ start: number; end: number; speaker: number }[]>;
  };
  export default addon;
}
