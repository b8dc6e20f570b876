import { readFile } from 'node:fs/promises';
import { loadConfig } from '#server/config/config.ts';
import { AppError } from '@jyutsing/contracts/errors';
import { createAdministration, type Administration } from '#server/features/accounts/administration.ts';
import { plansWith, SHIPPED_PLANS, type Plans } from '#server/features/accounts/plans.ts';

/** Runs `use` with the administration of the configured store. */
export async function withAdministration(use: (administration: Administration) => Promise<void>): Promise<void> {
  const { databaseUrl, dataDir, plansFile } = loadConfig();
  const plans = await readPlans(plansFile);
  // Load on demand: the database is the largest part of the command, and some commands need none.
  const { openStore } = await import('#server/store/open-store.ts');
  const store = await openStore({ databaseUrl, dataDir });
  try {
    await use(createAdministration(store, plans));
  } finally {
    await store.close();
  }
}

async function readPlans(plansFile: string | null): Promise<Plans> {
  if (plansFile === null) return SHIPPED_PLANS;
  const json = await readFile(plansFile, 'utf8').catch((cause: unknown) => {
    throw new AppError('invalid_parameter', 'PLANS_FILE: the file cannot be read.', { cause });
  });
  return plansWith(json);
}
