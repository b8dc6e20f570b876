import { join } from 'node:path';
import { installedModelDir } from '#packages/engines/runtime/model-files/installed.ts';
import { hum } from './hum.ts';

/**
 * Loads models of abilities without an engine and prints their output for silence and humming. Runs
 * in a process of its own, because native code aborts the process for an invalid model.
 */
type Stream = { acceptWaveform(sound: { samples: Float32Array; sampleRate: number }): void; inputFinished(): void };
type Sherpa = {
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
    dimensions: extractor.dim,
    isVector: vector.every(Number.isFinite) && vector.length > 0,
    speakers,
  }),
);
