import { SingleBar } from 'cli-progress';
import { formatBytes } from '@jyutsing/engines/runtime/model-files/format-bytes';
import type { PullEvent } from '@jyutsing/engines/runtime/model-files/install';
import { drawBar } from './draw-bar.ts';

/** Progress display of a download; call `stop` before printing anything else. */
type PullProgress = { onEvent(event: PullEvent): void; stop(): void };

/** Interval of progress lines in a log without a terminal. */
const LINE_EVERY_MS = 5_000;
/** Averaging window of the speed, to smooth fluctuations. */
const SPEED_WINDOW_MS = 10_000;

/** Shows a bar on a terminal, otherwise a line every few seconds. */
export function showProgress(name: string, stream: NodeJS.WriteStream): PullProgress {
  return stream.isTTY ? showBar(name, stream) : showLines(name, stream);
}

function showBar(name: string, stream: NodeJS.WriteStream): PullProgress {
  const meter = createMeter();
  let note = '';
  let activity: Transfer['type'] | null = null;
  const bar = new SingleBar({
    stream,
    hideCursor: true,
    clearOnComplete: true,
    // Ctrl-C is handled by the command, which stops the download before the bar.
    gracefulExit: false,
    barsize: 24,
    fps: 4,
    format: (options, { progress }) => {
      const line = `${name} ${drawBar(progress, options.barsize)} ${note === '' ? meter.describe() : note}`;
      return line.slice(0, Math.max(20, (stream.columns ?? 100) - 1));
    },
  });
  return {
    onEvent(event) {
      if (!('doneBytes' in event)) {
        note = describeTrouble(event);
        if (activity === null) stream.write(`${name}: ${note}\n`);
        return;
      }
      note = '';
      meter.add(event);
      if (activity === null) bar.start(event.totalBytes, event.doneBytes);
      else {
        bar.setTotal(event.totalBytes);
        bar.update(event.doneBytes);
      }
      activity = event.type;
    },
    stop() {
      if (activity !== null) bar.stop();
    },
  };
}

function showLines(name: string, stream: NodeJS.WriteStream): PullProgress {
  const meter = createMeter();
  let activity: Transfer['type'] | null = null;
  let nextAtMs = 0;
  return {
    onEvent(event) {
      if (!('doneBytes' in event)) {
        stream.write(`${name}: ${describeTrouble(event)}\n`);
        return;
      }
      meter.add(event);
      if (event.type === activity && performance.now() < nextAtMs) return;
      activity = event.type;
      nextAtMs = performance.now() + LINE_EVERY_MS;
      stream.write(`${name}: ${meter.describe()}\n`);
    },
    stop() {},
  };
}

function describeTrouble(event: Exclude<PullEvent, Transfer>): string {
  if (event.type === 'waiting') return 'waiting for another process that uses this model';
  if (event.type === 'unverified') return 'its publisher states no digest; later downloads must match this one';
  return `${event.reason}; retrying${event.pauseMs >= 1_000 ? ` in ${Math.round(event.pauseMs / 1_000)} s` : ''}`;
}

type Transfer = Extract<PullEvent, { doneBytes: number }>;

/** Measures percent, bytes, speed and remaining time of a transfer. */
function createMeter() {
  let samples: { atMs: number; doneBytes: number }[] = [];
  let last: Transfer | null = null;
  return {
    add(event: Transfer): void {
      const atMs = performance.now();
      // Another activity or a restarted transfer has its own speed.
      if (last !== null && (event.type !== last.type || event.doneBytes < last.doneBytes)) samples = [];
      last = event;
      const newest = samples.at(-1);
      if (newest === undefined || atMs - newest.atMs > 200) samples.push({ atMs, doneBytes: event.doneBytes });
      samples = samples.filter((sample) => atMs - sample.atMs <= SPEED_WINDOW_MS);
    },
    describe(): string {
      if (last === null) return '';
      const { type, doneBytes, totalBytes } = last;
      const percent = totalBytes === 0 ? 100 : Math.min(100, Math.floor((100 * doneBytes) / totalBytes));
      const words = [`${type} ${percent} % of ${formatBytes(totalBytes)}`];
      const first = samples[0];
      const seconds = first === undefined ? 0 : (performance.now() - first.atMs) / 1_000;
      if (first !== undefined && seconds > 0.5) {
        const speed = (doneBytes - first.doneBytes) / seconds;
        words.push(`${formatBytes(speed)}/s`);
        if (speed > 0 && totalBytes > doneBytes) words.push(`${formatSeconds((totalBytes - doneBytes) / speed)} left`);
      }
      return words.join(', ');
    },
  };
}

function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}
