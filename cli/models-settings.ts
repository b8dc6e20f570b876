import { z } from 'zod';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { AppError } from '@jyutsing/contracts/errors';

const Settings = z.object({
  MODELS_BASE_URL: z
    .url({ protocol: /^https?$/ })
    // Addresses are shown in messages, and fetch rejects credentials in them.
    .regex(/^[^@]*$/, 'must not hold a user name or password')
    .nullable()
    .default(null),
  MODELS_STALL_SECONDS: z.coerce.number().positive().max(3_600).default(30),
  MODELS_RETRIES: z.coerce.number().int().min(0).max(1_000).default(4),
});

export type ModelSettings = { modelsDir: string; baseUrl: string | null; stallTimeoutMs: number; retries: number };

/**
 * Reads the variables for model downloads (docs/models.md). Throws `invalid_parameter` naming an
 * invalid one.
 */
export function readModelSettings({ modelsDir, settings }: EngineEnv): ModelSettings {
  const parsed = Settings.safeParse(settings);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new AppError('invalid_parameter', `Bad configuration. ${lines.join('; ')}`);
  }
  return {
    modelsDir,
    baseUrl: parsed.data.MODELS_BASE_URL,
    stallTimeoutMs: parsed.data.MODELS_STALL_SECONDS * 1_000,
    retries: parsed.data.MODELS_RETRIES,
  };
}
