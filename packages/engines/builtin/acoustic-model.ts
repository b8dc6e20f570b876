import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { shareOpened } from '@jyutsing/concurrency/share-opened';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { keepAnswer } from '@jyutsing/audio/kept-answer';
import { openOnnxModel, type FloatTensor } from '#engines/runtime/onnx.ts';
import { acousticLabels, symbolCount } from './decoder/labels.ts';
import type { AcousticLabels, Posteriors } from './decoder/types.ts';
import { LANGUAGE_CODES, languageOf } from './model-files.ts';

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
  /**
   * Computes all outputs, to identify the language before the same sound is recognized: the next
   * computation for the same samples takes its answer. Throws `engine_failed`.
   */
  computeForLanguage(samples: Float32Array): Promise<AcousticOutputs>;
  close(): Promise<void>;
};

/**
 * Pitch of each frame of the posteriors, row-major, two columns: log2 of the fundamental frequency
 * in Hz, strength of voicing 0..1.
 */
export type FramePitch = Float32Array;

export type AcousticOutputs = {
  posteriors: Posteriors;
  pitch: FramePitch;
  /** Logits of each frame, a column for each of the languages; null for a model without them. */
  languages: { scores: Float32Array; columns: readonly Language[] } | null;
};

/** The files of an acoustic model. */
type AcousticFiles = { acoustic: string; description: string };

const openShared = shareOpened((files) => loadAcousticModel(JSON.parse(files) as AcousticFiles));

/**
 * Opens the acoustic model of one language, one for all who use it at a time: input `pcm` [1,
 * samples]; outputs `symbol_logp` [1, frames, symbols], `pitch` [1, frames, 2], for a language with
 * tones `tone_logp` [1, frames, tones], and for a model that knows languages `language_score` [1,
 * frames, languages]. Throws `engine_unavailable` when a file is missing or the two do not match.
 */
export function openAcousticModel({ acoustic, description: described }: AcousticFiles): Promise<AcousticModel> {
  return openShared(JSON.stringify({ acoustic, description: described }));
}

async function loadAcousticModel(files: AcousticFiles): Promise<AcousticModel> {
  const described = await readDescription(files.description);
  const labels = acousticLabels(described);
  const model = await openOnnxModel(files.acoustic, {
    inputs: ['pcm'],
    outputs: [
      'symbol_logp',
      'pitch',
      ...(labels.tones > 0 ? ['tone_logp'] : []),
      ...(described.languages.length > 0 ? ['language_score'] : []),
    ],
  });
  const spoken = described.languages.map(languageOf);
  const { take, keep } = keepAnswer(async (samples): Promise<AcousticOutputs> => {
    const outputs = await model.run({ pcm: { data: samples, dims: [1, samples.length] } });
    const { symbol_logp, tone_logp, pitch } = outputs;
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
    const languages = spoken.length === 0 ? null : { scores: languageScores(outputs, spoken.length), columns: spoken };
    return { posteriors, pitch: pitch?.data ?? new Float32Array(0), languages };
  });
  return {
    version: described.version,
    labels,
    compute: async (samples) => (await take(samples)).posteriors,
    computeWithPitch: take,
    computeForLanguage: keep,
    close: () => model.close(),
  };
}

function languageScores({ language_score: scores }: Record<string, FloatTensor>, columns: number): Float32Array {
  if (scores?.dims[2] !== columns) {
    throw new AppError('engine_failed', 'The acoustic model does not fit its description.');
  }
  return scores.data;
}

/** Reads the description of a model. Throws `engine_unavailable` when it is missing or damaged. */
async function readDescription(path: string): Promise<z.infer<typeof description>> {
  try {
    return description.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw new AppError('engine_unavailable', 'The description of the acoustic model is missing or damaged.', { cause });
  }
}
