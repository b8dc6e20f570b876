import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { EventBuffer } from './event-buffer.ts';
import type { SpeechEvent } from './speech.ts';
import { audio, CLIENT_DISCONNECTED, word } from '#test/speech-parts.ts';

/** A producer that counts its events and records how it ended. */
function producer(total: number, failure: unknown = null) {
  const seen = { made: 0, ended: '' };
  async function* start(signal: AbortSignal): AsyncGenerator<SpeechEvent> {
    try {
      for (; seen.made < total; seen.made += 1) {
        signal.throwIfAborted();
        yield audio(100, seen.made);
      }
      if (failure !== null) throw failure;
      seen.ended = 'done';
    } finally {
      seen.ended ||= 'stopped';
    }
  }
  return { seen, start };
}

async function* words() {
  for (let i = 0; i < 1_000; i += 1) yield word('一', i, i + 1);
}

async function* ignoresSignal(): AsyncGenerator<SpeechEvent> {
  yield audio(1);
  await new Promise(() => {});
}

async function settle(): Promise<void> {
  for (let i = 0; i < 200; i += 1) await nextTurn();
}

const firstOf = (event: SpeechEvent | undefined) => (event?.type === 'audio' ? event.samples[0] : null);

test('events are produced before they are read, up to the limit, and come in order', async () => {
  const { seen, start } = producer(50);
  const buffer = new EventBuffer(start, new AbortController().signal, 1_000);
  await settle();
  // The event that exceeds the limit is buffered, and then the producer waits.
  expect(seen.made).toBe(10);
  const values: unknown[] = [];
  for await (const event of buffer.events()) {
    values.push(firstOf(event));
    await settle();
    expect(seen.made).toBe(Math.min(50, 10 + values.length));
  }
  expect(values).toEqual(Array.from({ length: 50 }, (_, i) => i));
  expect([seen.ended, await buffer.finished]).toEqual(['done', true]);
});

test('words do not count towards the limit', async () => {
  const buffer = new EventBuffer(words, new AbortController().signal, 10);
  expect(await buffer.finished).toBe(true);
  expect(await Array.fromAsync(buffer.events())).toHaveLength(1_000);
});

test('a failure comes after the events before it', async () => {
  const failure = new AppError('engine_failed');
  const buffer = new EventBuffer(producer(3, failure).start, new AbortController().signal);
  expect(await buffer.finished).toBe(false);
  let count = 0;
  const read = async () => {
    for await (const _ of buffer.events()) count += 1;
  };
  await expect(read()).rejects.toBe(failure);
  expect(count).toBe(3);
});

test('an abort ends a producer that waits for its reader, and the reader at once', async () => {
  const aborting = new AbortController();
  const { seen, start } = producer(1_000);
  const buffer = new EventBuffer(start, aborting.signal, 1_000);
  const events = buffer.events();
  await events.next();
  await settle();
  aborting.abort(CLIENT_DISCONNECTED);
  await expect(events.next()).rejects.toBe(CLIENT_DISCONNECTED);
  expect(await buffer.finished).toBe(false);
  expect([seen.made, seen.ended]).toEqual([11, 'stopped']);
});

test('an abort ends the reader of a producer that ignores its signal', async () => {
  const aborting = new AbortController();
  const events = new EventBuffer(ignoresSignal, aborting.signal).events();
  await events.next();
  const next = events.next();
  aborting.abort(CLIENT_DISCONNECTED);
  await expect(next).rejects.toBe(CLIENT_DISCONNECTED);
});

test('an aborted signal starts nothing', async () => {
  const { seen, start } = producer(5);
  const buffer = new EventBuffer(start, AbortSignal.abort(CLIENT_DISCONNECTED));
  await expect(buffer.events().next()).rejects.toBe(CLIENT_DISCONNECTED);
  expect(await buffer.finished).toBe(false);
  expect(seen.ended).toBe('');
});

test('a reader that stops early ends the producer, and so does cancelling before reading', async () => {
  const read = producer(1_000);
  for await (const _ of new EventBuffer(read.start, new AbortController().signal, 1_000).events()) break;
  const unread = producer(1_000);
  const buffer = new EventBuffer(unread.start, new AbortController().signal, 1_000);
  await settle();
  buffer.cancel();
  await settle();
  expect([read.seen.ended, unread.seen.ended]).toEqual(['stopped', 'stopped']);
});

test('leaves no listener on the signal of the request', async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => ((listeners += 1), add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => ((listeners -= 1), remove(...args));
  for (let i = 0; i < 20; i += 1) await Array.fromAsync(new EventBuffer(producer(3).start, signal).events());
  expect(listeners).toBe(0);
});
