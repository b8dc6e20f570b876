import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import type { SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import { ReadAhead } from './read-ahead.ts';
import { audio, HUNG_UP, word } from '#test/speech-parts.ts';

/** A maker that counts what it made, and what became of it. */
function maker(total: number, failure: unknown = null) {
  const seen = { made: 0, ended: '' };
  async function* start(signal: AbortSignal): AsyncGenerator<SynthesisEvent> {
    try {
      for (; seen.made < total; seen.made += 1) {
        signal.throwIfAborted();
        yield audio(100, seen.made);
      }
      if (failure !== null) throw failure;
      seen.ended = 'done';
    } finally {
      seen.ended ||= 'left';
    }
  }
  return { seen, start };
}

async function* words() {
  for (let i = 0; i < 1_000; i += 1) yield word('一', i, i + 1);
}

async function* deaf(): AsyncGenerator<SynthesisEvent> {
  yield audio(1);
  await new Promise(() => {});
}

async function settle(): Promise<void> {
  for (let i = 0; i < 200; i += 1) await nextTurn();
}

const firstOf = (event: SynthesisEvent | undefined) => (event?.type === 'audio' ? event.samples[0] : null);

test('is made before anybody reads, up to its limit, and comes in order', async () => {
  const { seen, start } = maker(50);
  const ahead = new ReadAhead(start, new AbortController().signal, 1_000);
  await settle();
  // The one that passes the limit is handed over, and then its maker waits.
  expect(seen.made).toBe(10);
  const values: unknown[] = [];
  for await (const event of ahead.events()) {
    values.push(firstOf(event));
    await settle();
    expect(seen.made).toBe(Math.min(50, 10 + values.length));
  }
  expect(values).toEqual(Array.from({ length: 50 }, (_, i) => i));
  expect([seen.ended, await ahead.made]).toEqual(['done', true]);
});

test('words weigh nothing', async () => {
  const ahead = new ReadAhead(words, new AbortController().signal, 10);
  expect(await ahead.made).toBe(true);
  expect(await Array.fromAsync(ahead.events())).toHaveLength(1_000);
});

test('a failure comes after what was made before it', async () => {
  const failure = new AppError('engine_failed');
  const ahead = new ReadAhead(maker(3, failure).start, new AbortController().signal);
  expect(await ahead.made).toBe(false);
  let count = 0;
  const read = async () => {
    for await (const _ of ahead.events()) count += 1;
  };
  await expect(read()).rejects.toBe(failure);
  expect(count).toBe(3);
});

test('an abort ends a maker that waits for its reader, and the reader at once', async () => {
  const leaving = new AbortController();
  const { seen, start } = maker(1_000);
  const ahead = new ReadAhead(start, leaving.signal, 1_000);
  const events = ahead.events();
  await events.next();
  await settle();
  leaving.abort(HUNG_UP);
  await expect(events.next()).rejects.toBe(HUNG_UP);
  expect(await ahead.made).toBe(false);
  expect([seen.made, seen.ended]).toEqual([11, 'left']);
});

test('an abort ends a reader whose maker does not listen', async () => {
  const leaving = new AbortController();
  const events = new ReadAhead(deaf, leaving.signal).events();
  await events.next();
  const next = events.next();
  leaving.abort(HUNG_UP);
  await expect(next).rejects.toBe(HUNG_UP);
});

test('an aborted signal begins nothing', async () => {
  const { seen, start } = maker(5);
  const ahead = new ReadAhead(start, AbortSignal.abort(HUNG_UP));
  await expect(ahead.events().next()).rejects.toBe(HUNG_UP);
  expect(await ahead.made).toBe(false);
  expect(seen.ended).toBe('');
});

test('a reader that leaves early ends the maker, one that never read as well', async () => {
  const read = maker(1_000);
  for await (const _ of new ReadAhead(read.start, new AbortController().signal, 1_000).events()) break;
  const unread = maker(1_000);
  const ahead = new ReadAhead(unread.start, new AbortController().signal, 1_000);
  await settle();
  ahead.leave();
  await settle();
  expect([read.seen.ended, unread.seen.ended]).toEqual(['left', 'left']);
});

test('leaves no listener on the signal of the request', async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => ((listeners += 1), add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => ((listeners -= 1), remove(...args));
  for (let i = 0; i < 20; i += 1) await Array.fromAsync(new ReadAhead(maker(3).start, signal).events());
  expect(listeners).toBe(0);
});
