import { join } from 'node:path';
import { installedModelDir } from '#packages/engines/runtime/model-files/installed.ts';
import { hum } from './hum.ts';

/**
 * Loads models of abilities without an engine and prints their output for silence and humming. Runs
 * in a process of its own, because native code aborts the process for an invalid model.
 */
type Stream = { acceptWaveform(sound: { samples: Float32Array; sampleRate: number }): void; inputFinished(): void };
type Sherpa = {
  Vad: new (
    config: object,
    seconds: number,
  ) => {
    acceptWaveform(samples: Float32Array): void;
    flush(): void;
    isEmpty(): boolean;
    front(external: boolean): { start: number; samples: Float32Array };
    pop(): void;
  };
  OfflineSpeakerDiarization: new (config: object) => {
    process(samples: Float32Array): { start: number; end: number; speaker: number }[];
  };
  SpeakerEmbeddingExtractor: new (config: object) => {
    dim: number;
    createStream(): Stream;
    compute(stream: Stream, external: boolean): Float32Array;
  };
};

const { default: native } = await import('sherpa-onnx-node');
const sherpa = native as unknown as Sherpa;
const modelsDir = process.argv[2] ?? '';
const fileOf = (name: string, file: string) => join(installedModelDir(modelsDir, name) ?? '', file);
const sound = hum([null, 0, 1, 2, 3, null]).channels[0] ?? new Float32Array(0);

const vad = new sherpa.Vad(
  {
    sileroVad: {
      model: fileOf('silero-vad', 'silero_vad.onnx'),
      threshold: 0.5,
      minSilenceDuration: 0.2,
      minSpeechDuration: 0.2,
      windowSize: 512,
      maxSpeechDuration: 20,
    },
    sampleRate: 16_000,
    numThreads: 1,
    provider: 'cpu',
    debug: 0,
  },
  30,
);
for (let at = 0; at + 512 <= sound.length; at += 512) vad.acceptWaveform(sound.subarray(at, at + 512));
vad.flush();
const voices: { startMs: number; lengthMs: number }[] = [];
for (; !vad.isEmpty(); vad.pop()) {
  const { start, samples } = vad.front(false);
  voices.push({ startMs: start / 16, lengthMs: samples.length / 16 });
}

const embedding = { model: fileOf('campplus-speaker', '3dspeaker_speech_campplus_sv_zh-cn_16k-common.onnx') };
const extractor = new sherpa.SpeakerEmbeddingExtractor({ ...embedding, numThreads: 1, provider: 'cpu', debug: 0 });
const stream = extractor.createStream();
stream.acceptWaveform({ samples: sound, sampleRate: 16_000 });
stream.inputFinished();
const vector = extractor.compute(stream, false);

const diarization = new sherpa.OfflineSpeakerDiarization({
  segmentation: {
    pyannote: { model: fileOf('pyannote-segmentation-3.0', 'model.onnx') },
    numThreads: 1,
    provider: 'cpu',
  },
  embedding,
  clustering: { numClusters: 1, threshold: 0.5 },
  minDurationOn: 0.2,
  minDurationOff: 0.5,
});
const speakers = diarization.process(sound);

process.stdout.write(
  JSON.stringify({
    voices,
    dimensions: extractor.dim,
    isVector: vector.every(Number.isFinite) && vector.length > 0,
    speakers,
  }),
);
