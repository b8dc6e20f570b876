import { compileAhead } from '#server/workers/compile-ahead.ts';
import { baseEnvironment } from '#testbed/service/environment.ts';

/**
 * Compiles the modules of workers before the tests in CI, whose clone is fresh: short services
 * would all begin with that, and end before it is done.
 */
export default async function compileWorkers(): Promise<void> {
  if (!process.env['CI']) return;
  const environment = baseEnvironment();
  await compileAhead({ environment: { dialing: environment, sealed: environment }, dials: false, sandbox: null });
}
