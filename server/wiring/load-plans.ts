import { readFile } from 'node:fs/promises';
import { ConfigError } from '#config/config.ts';
import { plansWith, SHIPPED_PLANS, type Plans } from '#features/accounts/plans.ts';

/** The shipped plans, and those of PLANS_FILE. Throws ConfigError or `invalid_parameter`. */
export async function loadPlans(file: string | null): Promise<Plans> {
  if (file === null) return SHIPPED_PLANS;
  const json = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigError(`PLANS_FILE ${file} cannot be read.`, { cause });
  });
  return plansWith(json);
}
