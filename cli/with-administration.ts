import type { BlobStore } from '@jyutsing/contracts/blobs';
import { loadConfig } from '#server/config/config.ts';
import { createAdministration, type Administration } from '#server/features/accounts/administration.ts';
import { loadPlans } from '#server/load-plans.ts';
import { openConfiguredStore } from './open-store.ts';

/** Runs `use` with the administration and the files of the configured store. */
export async function withAdministration(
  use: (administration: Administration, blobs: BlobStore) => Promise<void>,
  options: { mayCreate?: boolean } = {},
): Promise<void> {
  const config = loadConfig();
  const plans = await loadPlans(config.plansFile);
  const store = await openConfiguredStore(config, options);
  try {
    const { openBlobs } = await import('#server/store/blobs.ts');
    await use(createAdministration(store, plans), await openBlobs(config));
  } finally {
    await store.close();
  }
}
