const KEPT = ['PATH', 'NODE_COMPILE_CACHE'];

/**
 * Environment of processes started by tests: variables of the machine must not affect them, and
 * nothing is pulled from the network.
 */
export function baseEnvironment(): Record<string, string> {
  const kept = KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return { ...(Object.fromEntries(kept) as Record<string, string>), MODELS_AUTO_PULL: 'off' };
}
