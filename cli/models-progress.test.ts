import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PullEvent } from '@jyutsing/engines/runtime/model-files/install';
import { showProgress } from './models-progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A stream that keeps what is written, as a file or as a terminal of so many columns. */
function openStream(columns?: number) {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  const terminal = { isTTY: true, columns, cursorTo() {}, clearLine() {}, moveCursor() {} };
  Object.assign(stream, columns === undefined ? { isTTY: false } : terminal);
  return { stream: stream as unknown as NodeJS.WriteStream, written };
}
const downloading = (doneBytes: number, totalBytes = 1_000_000): PullEvent => {
  return { type: 'downloading', doneBytes, totalBytes };
};

/** The lines that events write to a log; a number is a pause of so many seconds. */
function linesOf(...events: (PullEvent | number)[]): string[] {
  const { stream, written } = openStream();
  const progress = showProgress('yue', stream);
  for (const event of events) {
    if (typeof event === 'number') vi.advanceTimersByTime(event * 1_000);
    else progress.onEvent(event);
  }
  progress.stop();
  return written;
}

describe('the progress of a download in a log', () => {
  it('is a line at the beginning and then one every five seconds', () => {
    const lines = linesOf(
      downloading(0),
      1,
      downloading(1_000),
      3.9,
      downloading(2_000),
      0.1,
      downloading(500_000),
      1,
      downloading(600_000),
    );
    expect(lines).toEqual([
      'yue: downloading 0 % of 1.0 MB\n',
      'yue: downloading 50 % of 1.0 MB, 100 kB/s, 5 s left\n',
    ]);
  });

  it('is a line for each activity at once, with its own speed', () => {
    const lines = linesOf(downloading(0), 4, downloading(400_000), {
      type: 'unpacking',
      doneBytes: 0,
      totalBytes: 1_000_000,
    });
    expect(lines).toEqual(['yue: downloading 0 % of 1.0 MB\n', 'yue: unpacking 0 % of 1.0 MB\n']);
  });

  it('that begins again has a speed of its own', () => {
    const lines = linesOf(downloading(0), 6, downloading(600_000), 6, downloading(0), 6, downloading(60_000));
    expect(lines.slice(1)).toEqual([
      'yue: downloading 60 % of 1.0 MB, 100 kB/s, 4 s left\n',
      'yue: downloading 0 % of 1.0 MB\n',
      'yue: downloading 6 % of 1.0 MB, 10 kB/s, 1 min 34 s left\n',
    ]);
  });

  it('measures its speed over the last ten seconds', () => {
    const lines = linesOf(
      downloading(0),
      5,
      downloading(500_000),
      5,
      downloading(500_000),
      5,
      downloading(500_000),
      5,
      downloading(500_000),
    );
    expect(lines.slice(-2)).toEqual([
      'yue: downloading 50 % of 1.0 MB, 0 bytes/s\n',
      'yue: downloading 50 % of 1.0 MB, 0 bytes/s\n',
    ]);
  });

  it.each([
    [1_000_001_000, '1 min 40 s'],
    [59_010_000_000, '1 h 38 min'],
    [590_001_000, '59 s'],
    [600_001_000, '1 min 0 s'],
    [36_000_010_000, '1 h 0 min'],
  ])('with %i bytes left after 10 MB in a second says %s', (totalBytes, time) => {
    const lines = linesOf(downloading(0, totalBytes), 5, downloading(50_000_000, totalBytes + 49_999_000));
    expect(lines.at(-1)).toContain(`, 10 MB/s, ${time} left`);
  });

  it.each([
    [0, 0, '100 %'],
    [2_000_000, 1_000_000, '100 %'],
    [999_999, 1_000_000, '99 %'],
  ])('with %i of %i bytes is at %s', (doneBytes, totalBytes, percent) => {
    expect(linesOf(downloading(doneBytes, totalBytes))[0]).toContain(`downloading ${percent} of`);
  });

  it.each<[PullEvent, string]>([
    [{ type: 'waiting' }, 'waiting for another process that uses this model'],
    [{ type: 'unverified' }, 'its publisher states no digest; later downloads must match this one'],
    [{ type: 'retrying', reason: 'the server is busy', pauseMs: 999 }, 'the server is busy; retrying'],
    [{ type: 'retrying', reason: 'the server is busy', pauseMs: 2_400 }, 'the server is busy; retrying in 2 s'],
  ])('says what it waits for: %j', (event, text) => {
    expect(linesOf(event, event)).toEqual([`yue: ${text}\n`, `yue: ${text}\n`]);
  });
});

describe('the progress of a download on a terminal', () => {
  it('is a bar that fills, within the width of the terminal', () => {
    const { stream, written } = openStream(60);
    const progress = showProgress('a-model-with-a-long-name', stream);
    for (let percent = 0; percent <= 100; percent += 10) {
      progress.onEvent(downloading(percent * 10_000));
      vi.advanceTimersByTime(1_000);
    }
    progress.stop();
    const bars = written.flatMap((part) => /[█░]+/.exec(part)?.[0] ?? []);
    expect(bars[0]).toBe('░'.repeat(24));
    expect(bars.at(-1)).toBe('█'.repeat(24));
    for (const part of written) expect(part.length).toBeLessThan(60);
  });

  it('says what it waits for before there is a bar, and instead of its numbers', () => {
    const { stream, written } = openStream(200);
    const progress = showProgress('yue', stream);
    progress.onEvent({ type: 'waiting' });
    expect(written).toEqual(['yue: waiting for another process that uses this model\n']);
    progress.onEvent(downloading(0));
    progress.onEvent({ type: 'retrying', reason: 'it broke', pauseMs: 0 });
    vi.advanceTimersByTime(1_000);
    progress.stop();
    expect(written.join('')).toMatch(/░ it broke; retrying/);
  });

  it('writes nothing after its end', () => {
    const { stream, written } = openStream(80);
    const progress = showProgress('yue', stream);
    progress.onEvent(downloading(10));
    progress.stop();
    const { length } = written;
    vi.advanceTimersByTime(10_000);
    expect(written).toHaveLength(length);
  });
});
