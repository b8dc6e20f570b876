import { z } from 'zod';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { AppError } from '@jyutsing/contracts/errors';
import { readVariables } from '#engines/runtime/engine-settings.ts';
import { integer, oneOf, type VariableGroup } from '#engines/runtime/variable-types.ts';

const NANO_VARIABLES = {
  TTS_NANO_SAMPLING: oneOf('fixed', ['fixed', 'full']).describe(
    'How canto-tts-nano draws: `fixed` as its makers built it in, or `full`, which follows `temperature` and `top_p` of a request and takes three times as long.',
  ),
  TTS_NANO_THREADS: integer(2, 1, 64).describe(
    'Threads of one synthesis with canto-tts-nano; more than four are slower again.',
  ),
} as const;

export const variableGroups: readonly VariableGroup[] = [{ title: 'canto-tts-nano', variables: NANO_VARIABLES }];

/** Reads the settings. Throws `engine_unavailable` that names the variable. */
export function nanoSettings(settings: EngineEnv['settings']): { sampling: 'fixed' | 'full'; threads: number } {
  const read = readVariables(z.object(NANO_VARIABLES), settings);
  if ('settings' in read) {
    return { sampling: read.settings.TTS_NANO_SAMPLING, threads: read.settings.TTS_NANO_THREADS };
  }
  throw new AppError('engine_unavailable', `The engine canto-tts-nano cannot be used: ${read.reason}.`);
}
