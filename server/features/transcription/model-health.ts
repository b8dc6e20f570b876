/** Recordings in a row that a model fails on before it is set aside. */
const MOST_FAILURES = 3;
const ASIDE_MS = 10 * 60_000;

/** Which recognizers failed on the last recordings, as far as this process has seen it. */
export type ModelHealth = {
  failed(model: string): void;
  succeeded(model: string): void;
  /** Whether requests are planned with other models for now. */
  isSetAside(model: string): boolean;
};

/** Sets a model aside for ten minutes after three failures in a row. `now`: milliseconds. */
export function createModelHealth(now: () => number = Date.now): ModelHealth {
  const failures = new Map<string, { count: number; lastMs: number }>();
  return {
    failed(model) {
      failures.set(model, { count: (failures.get(model)?.count ?? 0) + 1, lastMs: now() });
    },
    succeeded: (model) => void failures.delete(model),
    isSetAside(model) {
      const failure = failures.get(model);
      return failure !== undefined && failure.count >= MOST_FAILURES && now() - failure.lastMs < ASIDE_MS;
    },
  };
}
