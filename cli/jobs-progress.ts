import { MultiBar, type SingleBar } from 'cli-progress';
import { drawBar } from './draw-bar.ts';
import { terminalText } from './terminal-text.ts';

/** The progress of several jobs; call `stop` before printing anything else. */
export type JobsProgress = {
  add(name: string): JobProgress;
  stop(): void;
  /** Says why jobs failed, unless that was said at once. */
  sayFailures(): void;
};

type JobProgress = {
  /** `fraction`: 0 to 1. */
  update(fraction: number, stage: string): void;
  end(outcome: string): void;
  fail(reason: string): void;
};

const NAME_COLUMNS = 28;

/** A bar for each job and one for all on a terminal; otherwise a line when one ends. */
export function showJobs(count: number, stream: NodeJS.WriteStream): JobsProgress {
  return stream.isTTY ? showBars(count, stream) : showLines(stream);
}

function showBars(count: number, stream: NodeJS.WriteStream): JobsProgress {
  const bars = new MultiBar({
    stream,
    hideCursor: true,
    clearOnComplete: false,
    // Ctrl-C is handled by the command, which cancels the jobs first.
    gracefulExit: false,
    barsize: 24,
    fps: 8,
    format: (options, { progress }, payload: { name: string; stage: string }) => {
      const line = `${payload.name} ${drawBar(progress, options.barsize)} ${payload.stage}`;
      return line.slice(0, (stream.columns || 100) - 1);
    },
  });
  const all = count > 1 ? bars.create(count, 0, { name: pad('all'), stage: `0 of ${count}` }) : null;
  let ended = 0;
  const failures: string[] = [];
  return {
    add(name) {
      const bar: SingleBar = bars.create(1, 0, { name: pad(name), stage: 'waiting' });
      const end = (outcome: string) => {
        ended += 1;
        const isDone = outcome.startsWith('done');
        bar.update(isDone ? 1 : 0, { stage: outcome });
        all?.update(ended, { stage: `${ended} of ${count}` });
      };
      return {
        update: (fraction, stage) => bar.update(fraction, { stage }),
        end,
        fail(reason) {
          end('failed');
          failures.push(lineOf(name, reason));
        },
      };
    },
    stop: () => bars.stop(),
    sayFailures: () => void stream.write(failures.join('')),
  };
}

function showLines(stream: NodeJS.WriteStream): JobsProgress {
  return {
    add(name) {
      const say = (what: string) => void stream.write(lineOf(name, what));
      return { update() {}, end: say, fail: say };
    },
    stop() {},
    sayFailures() {},
  };
}

const lineOf = (name: string, what: string) => `${terminalText(`${name}: ${what}`)}\n`;

/** The end of a long name tells files apart. */
function pad(path: string): string {
  const name = terminalText(path);
  return (name.length > NAME_COLUMNS ? `…${name.slice(1 - NAME_COLUMNS)}` : name).padEnd(NAME_COLUMNS);
}
