const KEPT = ['PATH', 'WARM_UP', 'NODE_COMPILE_CACHE'];

/** Environment of processes started by tests: variables of the machine must not affect them. */
export function baseEnvironment(): Record<string, string> {
  return Object.fromEntries(
    KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
