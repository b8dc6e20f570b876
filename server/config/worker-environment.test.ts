import { expect, test } from 'vitest';
import { workerEnvironment } from './worker-environment.ts';

test('models have settings for freed memory of their own, which cost them no time', () => {
  // With which scripts/run.js starts the service.
  const service = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '131072' };
  expect(workerEnvironment({ ...service, PATH: '/bin' }, { dials: false })).toEqual({
    PATH: '/bin',
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '1048576',
  });
});

test('the keys of the service are not in the environment, and addresses only where it dials', () => {
  const present = { BOOTSTRAP_API_KEY: 'secret', DATABASE_URL: 'postgres://secret', HTTPS_PROXY: 'http://proxy' };
  expect(Object.keys(workerEnvironment(present, { dials: false }))).not.toContain('HTTPS_PROXY');
  const dialing = workerEnvironment(present, { dials: true });
  expect(dialing).toMatchObject({ HTTPS_PROXY: 'http://proxy' });
  expect(JSON.stringify(dialing)).not.toContain('secret');
});
