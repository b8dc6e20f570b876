import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { openOnnxModel } from '#engines/runtime/onnx.ts';
import { acousticLabels, symbolCount } from './decoder/labels.ts';
import type { AcousticLabels, Posteriors } from './decoder/types.ts';
import { LANGUAGE_CODES } from './model-files.ts';

/** Schema of acoustic.json, which describes acoustic.onnx. */
const description = z.object({
  version: z.union([z.string(), z.number()]).transform(String),
  sampleRateHz: z.literal(RECOGNIZER_SAMPLE_RATE_HZ),
  frameMs: z.number().positive(),
  labels: z.object({ onsets: z.array(z.string()).min(1), rimes: z.array(z.string()) }),
  tones: z.array(z.int().positive()),
  /** Columns of `language_score`, by ISO 639-3; a model without it cannot identify languages. */
  languages: z.array(z.enum(LANGUAGE_CODES)).default([]),
});

export type AcousticModel = {
  version: string;
  labels: AcousticLabels;
  /** Posteriors of one utterance: mono sound at 16 kHz, −1..1. Throws `engine_failed`. */
  compute(samples: Float32Array): Promise<Posteriors>;
  /**
   * Computes posteriors like `compute`, and the pitch tracked by the front end. Throws
   * `engine_failed`.
   */
  computeWithPitch(samples: Float32Array): Promise<{ posteriors: Posteriors; pitch: FramePitch }>;
  close(): Promise<void>;
};

/**
 * Pitch of each frame of the posteriors, row-major, two columns: log2 of the fundamental frequency
 * in Hz, strength of voicing 0..1.
 */
export type FramePitch = Float32Array;

/**
 * Opens the acoustic model of one language: input `pcm` [1, samples]; outputs `symbol_logp` [1,
 * frames, symbols], `pitch` [1, frames, 2] and, for a language with tones, `tone_logp` [1, frames,
 * tones]. Throws `engine_unavailable` when a file is missing or the two do not match.
 */
export async function openAcousticModel(files: { acoustic: string; description: string }): Promise<AcousticModel> {
  const described = await readDescription(files.description);
  const labels = acousticLabels(described);
  const outputs = labels.tones > 0 ? ['symbol_logp', 'tone_logp'] : ['symbol_logp'];
  const model = await openOnnxModel(files.acoustic, { inputs: ['pcm'], outputs: [...outputs, 'pitch'] });
  const computeWithPitch: AcousticModel['computeWithPitch'] = async (samples) => {
    const { symbol_logp, tone_logp, pitch } = await model.run({ pcm: { data: samples, dims: [1, samples.length] } });
    const [, frameCount = 0, columns] = symbol_logp?.dims ?? [];
    const [, toneFrames, toneColumns] = tone_logp?.dims ?? [1, frameCount, 0];
    if (columns !== symbolCount(labels) || toneFrames !== frameCount || toneColumns !== labels.tones) {
      throw new AppError('engine_failed', 'The acoustic model does not fit its description.');
    }
    const posteriors = {
      frameCount,
      symbolLogp: symbol_logp?.data ?? new Float32Array(0),
      toneLogp: tone_logp?.data ?? new Float32Array(0),
    };
    return { posteriors, pitch: pitch?.data ?? new Float32Array(0) };
  };
  return {
    version: described.version,
    labels,
    compute: async (samples) => (await computeWithPitch(samples)).posteriors,
    computeWithPitch,
    close: () => model.close(),
  };
}

/** Reads the description of a model. Throws `engine_unavailable` when it is missing or damaged. */
export async function readDescription(path: string): Promise<z.infer<typeof description>> {
  try {
    return description.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw new AppError('engine_unavailable', 'The description of the acoustic model is missing or damaged.', { cause });
  }
}
