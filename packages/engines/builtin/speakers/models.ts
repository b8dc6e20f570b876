import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { SPEAKER_FRAME_MS } from '@jyutsing/audio/speaker-clustering/frames';
import { unit } from '@jyutsing/audio/speaker-clustering/clustering';
import type { VoiceStatistics } from '@jyutsing/audio/speaker-clustering/vbx';
import { openOnnxModel, type OnnxModel } from '#engines/runtime/onnx.ts';
import { findActive, type SpeakersActive } from './segmentation.ts';

/** Schema of speakers.json; its other fields are documentation. */
const description = z.object({
  version: z.union([z.string(), z.number()]).transform(String),
  sampleRateHz: z.literal(RECOGNIZER_SAMPLE_RATE_HZ),
  frameMs: z.literal(SPEAKER_FRAME_MS),
  /** Sizes of the vectors of both embedding networks. */
  embeddingSizes: z.strictObject({ embedding: z.int().positive(), ge2e: z.int().positive() }),
});

/**
 * Statistics of voices in the joined embedding space (eval/diarization/fit_voices.py): vectors
 * minus `mean`, times `projection`, have dimensions with variance 1 within a speaker and `between`
 * across speakers. Numbers in base64 are 32-bit floats.
 */
const statistics = z.object({
  mean: z.string(),
  projection: z.string(),
  between: z.array(z.number().positive()).min(1),
});

const CLASSES = 3;
/** Largest number of windows of one inference: more are no faster, and memory grows with them. */
const MAX_BATCH_SIZE = 16;

const files = (modelsDir: string) => {
  const folder = join(modelsDir, 'speakers');
  return {
    activity: join(folder, 'activity.onnx'),
    embedding: join(folder, 'embedding.onnx'),
    ge2e: join(folder, 'ge2e.onnx'),
    segmentation: join(folder, 'segmentation.onnx'),
    description: join(folder, 'speakers.json'),
    statistics: join(folder, 'voices.json'),
  };
};

/** Returns true if all networks are installed. */
export function hasSpeakerModels(modelsDir: string): boolean {
  return Object.values(files(modelsDir)).every((file) => existsSync(file));
}

const versions = new Map<string, string>();

/**
 * Returns a digest of the networks. Shipped files do not change while a process runs, so it is
 * computed once for each folder.
 */
export function speakerModelsVersion(modelsDir: string): string {
  const cachedVersion = versions.get(modelsDir);
  if (cachedVersion !== undefined) return cachedVersion;
  const digest = createHash('sha256');
  if (hasSpeakerModels(modelsDir)) {
    for (const file of Object.values(files(modelsDir))) digest.update(readFileSync(file));
  }
  const version = digest.digest('hex').slice(0, 12);
  versions.set(modelsDir, version);
  return version;
}

export type SpeakerModels = {
  /**
   * Computes the probabilities of no, one and several speakers, three per 20 ms: frame `i` is the
   * time around `i × 20 ms` of the audio (16 kHz mono, at most 20 s). Throws `engine_failed`.
   */
  activity(samples: Float32Array): Promise<Float32Array>;
  /** Finds when one and several speakers speak, in the same frames. Throws `engine_failed`. */
  active(samples: Float32Array): Promise<SpeakersActive>;
  statistics: VoiceStatistics;
  /**
   * Embeds the voice of each clip (all of one length) as vectors of length 1 in the space of
   * `statistics`. Throws `engine_failed`.
   */
  voices(sounds: readonly Float32Array[]): Promise<Float32Array[]>;
  close(): Promise<void>;
};

/**
 * Opens the networks (models/speakers/README.md). The vectors of the two embedding networks are
 * joined end to end with equal lengths, and scaled to length 1; they stay so when `isProjected` is
 * false, for fitting the statistics. Throws `engine_unavailable` when a file is missing or does not
 * match.
 */
export async function openSpeakerModels(modelsDir: string, isProjected = true): Promise<SpeakerModels> {
  const paths = files(modelsDir);
  const { embeddingSizes: sizes } = await readJson(paths.description, description);
  const { between, project } = isProjected
    ? await readSpace(paths.statistics, sizes.embedding + sizes.ge2e)
    : { between: [], project: (vector: Float32Array) => vector };
  const { activity, embedding, ge2e, segmentation } = await openNetworks(paths);
  return {
    statistics: { between },
    async activity(samples) {
      const output = await activity.run({ samples: { data: samples, dims: [1, samples.length] } });
      const { data, dims } = output['activity'] ?? { data: new Float32Array(0), dims: [] };
      if (dims[2] !== CLASSES) throw unfit();
      return data;
    },
    active: (samples) => findActive(segmentation, samples),
    async voices(sounds) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < sounds.length; at += MAX_BATCH_SIZE) {
        const batch = sounds.slice(at, at + MAX_BATCH_SIZE);
        const first = await embed(embedding, batch, sizes.embedding);
        const second = await embed(ge2e, batch, sizes.ge2e);
        vectors.push(...batch.map((_, index) => project(unit(joinSamples([first[index]!, second[index]!])))));
      }
      return vectors;
    },
    async close() {
      await Promise.all([activity, embedding, ge2e, segmentation].map((model) => model.close()));
    },
  };
}

/** Opens the four networks; closes those that are open when another one fails. */
async function openNetworks(paths: ReturnType<typeof files>) {
  const open: OnnxModel[] = [];
  const openNext = async (path: string, output: string): Promise<OnnxModel> => {
    const model = await openOnnxModel(path, { inputs: ['samples'], outputs: [output] });
    open.push(model);
    return model;
  };
  try {
    return {
      activity: await openNext(paths.activity, 'activity'),
      embedding: await openNext(paths.embedding, 'embedding'),
      ge2e: await openNext(paths.ge2e, 'embedding'),
      segmentation: await openNext(paths.segmentation, 'speakers'),
    };
  } catch (thrown) {
    await Promise.all(open.map((model) => model.close()));
    throw thrown;
  }
}

/** Computes the vector of each sound, all of one length. Throws `engine_failed`. */
async function embed(network: OnnxModel, sounds: readonly Float32Array[], size: number): Promise<Float32Array[]> {
  const dims = [sounds.length, sounds[0]?.length ?? 0];
  const output = (await network.run({ samples: { data: joinSamples(sounds), dims } }))['embedding'];
  if (output?.data.length !== size * sounds.length) throw unfit();
  return sounds.map((_, index) => output.data.subarray(index * size, (index + 1) * size));
}

function unfit(): AppError {
  return new AppError('engine_failed', 'The speaker models do not fit their description.');
}

async function readJson<Shape>(path: string, shape: z.ZodType<Shape>): Promise<Shape> {
  try {
    return shape.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw new AppError('engine_unavailable', 'The description of the speaker models is missing or damaged.', { cause });
  }
}

function floatsOf(base64: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  return new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / 4));
}

type Space = { between: number[]; project: (vector: Float32Array) => Float32Array };

async function readSpace(path: string, size: number): Promise<Space> {
  const { mean: meanText, projection, between } = await readJson(path, statistics);
  const [mean, matrix, rows] = [floatsOf(meanText), floatsOf(projection), between.length];
  if (mean.length !== size || matrix.length !== rows * size) throw unfit();
  const project = (vector: Float32Array): Float32Array => {
    const projected = new Float32Array(rows);
    for (let row = 0; row < rows; row += 1) {
      let sum = 0;
      for (let i = 0; i < mean.length; i += 1) sum += matrix[row * mean.length + i]! * (vector[i]! - mean[i]!);
      projected[row] = sum;
    }
    return unit(projected);
  };
  return { between, project };
}
