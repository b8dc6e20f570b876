import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { AppError } from '#contracts/errors.ts';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '#contracts/recognizer.ts';
import { openOnnxModel } from '#runtime/onnx.ts';
import type { AcousticLabels, Posteriors } from './decoder/index.ts';

const TONES = 6;

/** What acoustic.json says of acoustic.onnx. */
const description = z.object({
  version: z.union([z.string(), z.number()]).transform(String),
  sampleRateHz: z.literal(RECOGNIZER_SAMPLE_RATE_HZ),
  frameMs: z.number().positive(),
  labels: z.object({ onsets: z.array(z.string()).min(1), rimes: z.array(z.string()).min(1) }),
});

export type AcousticModel = {
  version: string;
  labels: AcousticLabels;
  /** Posteriors of one utterance: mono sound at 16 kHz, −1..1. Throws `engine_failed`. */
  listen(samples: Float32Array): Promise<Posteriors>;
  close(): Promise<void>;
};

/**
 * Opens the acoustic model: input `pcm` [1, samples]; outputs `symbol_logp` [1, frames, 1 + onsets + rimes] and `tone_logp`
 * [1, frames, 6]. Throws `engine_unavailable` when a file is missing or the two do not belong together.
 */
export async function openAcousticModel(files: { model: string; description: string }): Promise<AcousticModel> {
  const { version, frameMs, labels } = await readDescription(files.description);
  const model = await openOnnxModel(files.model, { inputs: ['pcm'], outputs: ['symbol_logp', 'tone_logp'] });
  const symbols = 1 + labels.onsets.length + labels.rimes.length;
  return {
    version,
    labels: { frameMs, ...labels },
    async listen(samples) {
      const { symbol_logp, tone_logp } = await model.run({ pcm: { data: samples, dims: [1, samples.length] } });
      const [, frameCount = 0, columns] = symbol_logp?.dims ?? [];
      const [, toneFrames, toneColumns] = tone_logp?.dims ?? [];
      if (columns !== symbols || toneFrames !== frameCount || toneColumns !== TONES) {
        throw new AppError('engine_failed', 'The acoustic model does not fit its description.');
      }
      return {
        frameCount,
        symbolLogp: symbol_logp?.data ?? new Float32Array(0),
        toneLogp: tone_logp?.data ?? new Float32Array(0),
      };
    },
    close: () => model.close(),
  };
}

async function readDescription(path: string): Promise<z.infer<typeof description>> {
  try {
    return description.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw new AppError('engine_unavailable', 'The description of the acoustic model is missing or damaged.', { cause });
  }
}
