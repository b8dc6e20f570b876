import { performance } from 'node:perf_hooks';

const REDRAW_EVERY_MS = 200;
const LINE_EVERY_MS = 15_000;

export type Progress = {
  /** Reports the number of recordings done. */
  done(count: number): void;
  /** Ends the task with a final line. */
  finish(summary: string): void;
};

/**
 * Reports progress on standard error: a redrawn line on a terminal, an occasional line in a log.
 */
export function startProgress(label: string, total: number): Progress {
  const stream = process.stderr;
  const startedMs = performance.now();
  let nextMs = startedMs + (stream.isTTY ? 0 : LINE_EVERY_MS);
  return {
    done(count) {
      const nowMs = performance.now();
      if (nowMs < nextMs) return;
      nextMs = nowMs + (stream.isTTY ? REDRAW_EVERY_MS : LINE_EVERY_MS);
      const leftSeconds = Math.round(((nowMs - startedMs) / 1_000 / count) * (total - count));
      const line = `${label}: ${count} of ${total}, about ${leftSeconds} s left`;
      stream.write(stream.isTTY ? `\r\u001b[2K${line}` : `${line}\n`);
    },
    finish(summary) {
      const seconds = Math.round((performance.now() - startedMs) / 1_000);
      stream.write(`${stream.isTTY ? '\r\u001b[2K' : ''}${label}: ${summary} (${seconds} s)\n`);
    },
  };
}

/** Runs with progress reported under a label. */
export async function withProgress<Result>(
  label: string,
  total: number,
  run: (done: (count: number) => void) => Promise<Result>,
): Promise<Result> {
  const progress = startProgress(label, total);
  const result = await run(progress.done);
  progress.finish('done');
  return result;
}
