import { z } from 'zod';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { AppError } from '@jyutsing/contracts/errors';
import { readVariables } from '#engines/runtime/engine-settings.ts';
import { integer, positive, type VariableGroup } from '#engines/runtime/variable-types.ts';

const SHERPA_VARIABLES = {
  STT_THREADS: integer(1, 1, 64).describe(
    'Threads of one recognition with sherpa-onnx. Worker processes run in parallel already; raise it for few workers and large models.',
  ),
  DIARIZATION_THRESHOLD: positive(0.5, 2).describe(
    'Distance of two voices up to which sherpa-onnx takes them for one speaker: higher finds fewer speakers, lower finds more. A request with `speakers` uses it only where that number is not reached.',
  ),
} as const;

export const variableGroups: readonly VariableGroup[] = [{ title: 'Pulled models', variables: SHERPA_VARIABLES }];

/** Throws `engine_unavailable` that names the variable. */
export function threadsOf(settings: EngineEnv['settings']): number {
  return readAll(settings).STT_THREADS;
}

/** Throws `engine_unavailable` that names the variable. */
export function thresholdOf(settings: EngineEnv['settings']): number {
  return readAll(settings).DIARIZATION_THRESHOLD;
}

function readAll(settings: EngineEnv['settings']) {
  const read = readVariables(z.object(SHERPA_VARIABLES), settings);
  if ('settings' in read) return read.settings;
  throw new AppError('engine_unavailable', `The engine sherpa-onnx has an ${read.reason}.`);
}
