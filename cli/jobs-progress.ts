import { MultiBar, type SingleBar } from 'cli-progress';
import { drawBar } from './draw-bar.ts';
import { terminalText } from './terminal-text.ts';

/** The progress of several jobs; call `stop` before printing anything else. */
export type JobsProgress = { add(name: string): JobProgress; stop(): void };

type JobProgress = {
  /** `fraction`: 0 to 1. */
  update(fraction: number, stage: string): void;
  end(outcome: string): void;
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
  return {
    add(name) {
      const bar: SingleBar = bars.create(1, 0, { name: pad(name), stage: 'waiting' });
      return {
        update: (fraction, stage) => bar.update(fraction, { stage }),
        end(outcome) {
          ended += 1;
          const isDone = outcome.startsWith('done');
          bar.update(isDone ? 1 : 0, { stage: outcome });
          all?.update(ended, { stage: `${ended} of ${count}` });
        },
      };
    },
    stop: () => bars.stop(),
  };
}

function showLines(stream: NodeJS.WriteStream): JobsProgress {
  return {
    add: (name) => ({ update() {}, end: (outcome) => void stream.write(`${terminalText(name)}: ${outcome}\n`) }),
    stop() {},
  };
}

/** The end of a long name tells files apart. */
function pad(path: string): string {
  const name = terminalText(path);
  return (name.length > NAME_COLUMNS ? `…${name.slice(1 - NAME_COLUMNS)}` : name).padEnd(NAME_COLUMNS);
}
