/** With the settings for freed memory with which `npm start` runs the service (scripts/run.js). */
const KEPT = ['PATH', 'NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'];

/**
 * Environment of processes started by tests: variables of the machine must not affect them, and
 * nothing is pulled from the network.
 */
export function baseEnvironment(): Record<string, string> {
  const kept = KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...(Object.fromEntries(kept) as Record<string, string>), MODELS_AUTO_PULL: 'off' };
}
