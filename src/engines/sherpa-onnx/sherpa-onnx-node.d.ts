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

  /** The package is CommonJS: an import gives its classes on the default export only. */
  const sherpa: { OfflineRecognizer: typeof OfflineRecognizer; OfflinePunctuation: typeof OfflinePunctuation };
  export default sherpa;
}
