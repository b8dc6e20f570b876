import { z } from 'zod';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { AppError } from '@jyutsing/contracts/errors';
import { readVariables } from '#engines/runtime/engine-settings.ts';
import { integer, type VariableGroup } from '#engines/runtime/variable-types.ts';

const STT_VARIABLES = {
  STT_THREADS: integer(1, 1, 64).describe(
    'Threads of one recognition with sherpa-onnx. Worker processes run in parallel already; raise it for few workers and large models.',
  ),
} as const;

export const variableGroups: readonly VariableGroup[] = [{ title: 'Pulled models', variables: STT_VARIABLES }];

/** Throws `engine_unavailable` that names the variable. */
export function threadsOf(settings: EngineEnv['settings']): number {
  const read = readVariables(z.object(STT_VARIABLES), settings);
  if ('settings' in read) return read.settings.STT_THREADS;
  throw new AppError('engine_unavailable', `The engine sherpa-onnx has an ${read.reason}.`);
}
