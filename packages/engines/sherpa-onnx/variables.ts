import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { AppError } from '@jyutsing/contracts/errors';
import { readVariables } from '#engines/runtime/engine-settings.ts';
import { integer, oneOf, positive, type VariableGroup } from '#engines/runtime/variable-types.ts';

/** Processor and number of threads that a model computes with. */
export type Compute = { threads: number; provider: 'cpu' | 'cuda' };

/**
 * Library that ONNX Runtime loads for its CUDA provider; builds for processors alone do not have
 * it.
 */
const CUDA_LIBRARY = 'libonnxruntime_providers_cuda.so';

const SHERPA_VARIABLES = {
  STT_THREADS: integer(1, 1, 64).describe(
    'Threads of one recognition with sherpa-onnx. Worker processes run in parallel already; raise it for few workers and large models.',
  ),
  MODELS_DEVICE: oneOf('cpu', ['cpu', 'cuda'])
    // A build for processors alone would only print a line about CUDA, and compute slowly.
    .refine((device) => device === 'cpu' || isBuiltForCuda(addonFolder()))
    .meta({ type: 'cpu, or cuda if sherpa-onnx is a build for CUDA (docs/operations.md)' })
    .describe(
      '`cuda`: pulled recognizers and speaker models run on a GPU of NVIDIA. Set it only for the processes of machines that have one.',
    ),
  DIARIZATION_THRESHOLD: positive(0.5, 2).describe(
    'Distance of two voices up to which sherpa-onnx takes them for one speaker: higher finds fewer speakers, lower finds more. A request with `speakers` uses it only where that number is not reached.',
  ),
} as const;

export const variableGroups: readonly VariableGroup[] = [{ title: 'Pulled models', variables: SHERPA_VARIABLES }];

/** Reads the compute settings. Throws `engine_unavailable` that names the variable. */
export function computeOf(settings: EngineEnv['settings']): Compute {
  const { STT_THREADS: threads, MODELS_DEVICE: provider } = readAll(settings);
  return { threads, provider };
}

const Variables = z.object(SHERPA_VARIABLES);

/** Reads the threshold. Throws `engine_unavailable` that names the variable. */
export function thresholdOf(settings: EngineEnv['settings']): number {
  return readAll(settings).DIARIZATION_THRESHOLD;
}

function readAll(settings: EngineEnv['settings']) {
  const read = readVariables(Variables, settings);
  if ('settings' in read) return read.settings;
  throw new AppError('engine_unavailable', `The engine sherpa-onnx cannot be used: ${read.reason}.`);
}

/** Returns true if the folder of sherpa-onnx's addon has the files needed for CUDA. */
export function isBuiltForCuda(folder: string | null): boolean {
  return folder !== null && existsSync(join(folder, CUDA_LIBRARY));
}

/** Returns the folder of the addon for this system; null when there is none. */
function addonFolder(): string | null {
  try {
    return dirname(
      createRequire(import.meta.url).resolve(`sherpa-onnx-${process.platform}-${process.arch}/package.json`),
    );
  } catch {
    return null;
  }
}
