import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { SPEAKER_FRAME_MS } from '@jyutsing/audio/speaker-clustering/frames';
import { unit } from '@jyutsing/audio/speaker-clustering/clustering';
import type { VoiceStatistics } from '@jyutsing/audio/speaker-clustering/vbx';
import { openOnnxModel } from '#engines/runtime/onnx.ts';

/** Schema of speakers.json; its other fields are documentation. */
const description = z.object({
  version: z.union([z.string(), z.number()]).transform(String),
  sampleRateHz: z.literal(RECOGNIZER_SAMPLE_RATE_HZ),
  frameMs: z.literal(SPEAKER_FRAME_MS),
  embeddingSize: z.int().positive(),
});

/**
 * Statistics of voices in the embedding space (eval/diarization/fit_voices.py): vectors minus
 * `mean`, times `projection`, have dimensions with variance 1 within a speaker and `between` across
 * speakers. Numbers in base64 are 32-bit floats.
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
    description: join(folder, 'speakers.json'),
    statistics: join(folder, 'voices.json'),
  };
};

/** Returns true if both networks are installed. */
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
  statistics: VoiceStatistics;
  /**
   * Embeds the voice of each clip (all of one length) as vectors of length 1 in the space of
   * `statistics`. Throws `engine_failed`.
   */
  voices(sounds: readonly Float32Array[]): Promise<Float32Array[]>;
  close(): Promise<void>;
};

/**
 * Opens both networks (models/speakers/README.md); embeddings are raw when `isProjected` is false,
 * for fitting the statistics. Throws `engine_unavailable` when a file is missing or does not match.
 */
export async function openSpeakerModels(modelsDir: string, isProjected = true): Promise<SpeakerModels> {
  const paths = files(modelsDir);
  const { embeddingSize } = await readJson(paths.description, description);
  const { between, project } = isProjected
    ? await readSpace(paths.statistics, embeddingSize)
    : { between: [], project: (vector: Float32Array) => vector.slice() };
  const activity = await openOnnxModel(paths.activity, { inputs: ['samples'], outputs: ['activity'] });
  const embedding = await openOnnxModel(paths.embedding, { inputs: ['samples'], outputs: ['embedding'] }).catch(
    async (thrown: unknown) => {
      await activity.close();
      throw thrown;
    },
  );
  const embed = async (sounds: readonly Float32Array[]): Promise<Float32Array[]> => {
    const length = sounds[0]?.length ?? 0;
    const data = new Float32Array(length * sounds.length);
    for (const [index, sound] of sounds.entries()) data.set(sound, index * length);
    const output = (await embedding.run({ samples: { data, dims: [sounds.length, length] } }))['embedding'];
    if (output?.data.length !== embeddingSize * sounds.length) throw unfit();
    return sounds.map((_, index) => project(output.data.subarray(index * embeddingSize, (index + 1) * embeddingSize)));
  };
  return {
    statistics: { between },
    async activity(samples) {
      const output = await activity.run({ samples: { data: samples, dims: [1, samples.length] } });
      const { data, dims } = output['activity'] ?? { data: new Float32Array(0), dims: [] };
      if (dims[2] !== CLASSES) throw unfit();
      return data;
    },
    async voices(sounds) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < sounds.length; at += MAX_BATCH_SIZE) {
        vectors.push(...(await embed(sounds.slice(at, at + MAX_BATCH_SIZE))));
      }
      return vectors;
    },
    async close() {
      await Promise.all([activity.close(), embedding.close()]);
    },
  };
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
