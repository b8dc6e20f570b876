import { z } from 'zod';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { readVariables, type SettingsOrReason } from '#engines/runtime/engine-settings.ts';
import { integer, oneOf, type VariableGroup } from '#engines/runtime/variable-types.ts';

const NANO_VARIABLES = {
  TTS_NANO_SAMPLING: oneOf('fixed', ['fixed', 'full']).describe(
    'How canto-tts-nano draws: `fixed` as its makers built it in, or `full`, which follows `temperature` and `top_p` of a request and takes three times as long.',
  ),
  TTS_NANO_QUALITY: integer(1, 1, 4).describe(
    'How often canto-tts-nano speaks a piece; the one that the recognizer of this server understands best is taken. Each takes the whole time again.',
  ),
  TTS_NANO_THREADS: integer(2, 1, 64).describe(
    'Threads of one synthesis with canto-tts-nano; more than four are slower again.',
  ),
} as const;

export const variableGroups: readonly VariableGroup[] = [{ title: 'canto-tts-nano', variables: NANO_VARIABLES }];

/** How to speak: `quality` is the number of candidates of a piece. */
export type NanoSettings = { sampling: 'fixed' | 'full'; quality: number; threads: number };

const Variables = z.object(NANO_VARIABLES);

/** Reads the settings; the reason names a variable that cannot be used. */
export function nanoSettings(settings: EngineEnv['settings']): SettingsOrReason<NanoSettings> {
  const read = readVariables(Variables, settings);
  if ('reason' in read) return read;
  const { TTS_NANO_SAMPLING: sampling, TTS_NANO_QUALITY: quality, TTS_NANO_THREADS: threads } = read.settings;
  return { settings: { sampling, quality, threads } };
}
