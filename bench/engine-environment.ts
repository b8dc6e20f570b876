import { workerEnvironment } from '#server/config/worker-environment.ts';

/**
 * The environment in which workers of the service run engines, for the same engines without the
 * service. That of this process has other settings for freed memory (scripts/run.js).
 */
export function engineEnvironment(): NodeJS.ProcessEnv {
  return workerEnvironment(process.env, { dials: false });
}
