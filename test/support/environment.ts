const KEPT = ['PATH', 'WARM_UP', 'NODE_COMPILE_CACHE'];

/** All that processes which tests start have of this one's environment, unless a test adds to it: a variable of the machine changes no test. */
export function baseEnvironment(): Record<string, string> {
  return Object.fromEntries(
    KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
