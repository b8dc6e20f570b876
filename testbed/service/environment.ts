const KEPT = ['PATH', 'NODE_COMPILE_CACHE'];

/** The settings for freed memory with which `npm start` runs the service (scripts/run.js). */
export const MEMORY_SETTINGS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/**
 * Environment of processes started by tests: variables of the machine must not affect them, and
 * nothing is pulled from the network.
 */
export function baseEnvironment(): Record<string, string> {
  const kept = KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...(Object.fromEntries(kept) as Record<string, string>), ...MEMORY_SETTINGS, MODELS_AUTO_PULL: 'off' };
}
