import { compileAhead } from '#server/workers/compile-ahead.ts';
import { confine } from '#server/workers/confinement.ts';
import { baseEnvironment } from '#testbed/service/environment.ts';
import { temporaryFolder } from '#testbed/service/service.ts';

/**
 * Compiles the modules of workers before the tests in CI, whose clone is fresh: short services
 * would all begin with that, and end before it is done.
 */
export default async function compileWorkers(): Promise<void> {
  if (!process.env['CI']) return;
  await using folder = await temporaryFolder();
  const sealed = baseEnvironment();
  const environment = { sealed, dialing: sealed };
  await compileAhead(await confine({ environment, dials: false }, { dataDir: folder.path, read: [] }));
}
