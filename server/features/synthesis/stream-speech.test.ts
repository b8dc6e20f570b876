import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FairScheduler } from '@jyutsing/concurrency/fair-scheduler';
import { AppError } from '@jyutsing/contracts/errors';
import type { SynthesizerCapabilities } from '@jyutsing/contracts/synthesizer';
import { audio, CLIENT_DISCONNECTED, speechOf, withStyle, word } from '#test/speech-parts.ts';
import type { Speak, SpeechPart, StreamEvent } from './speech.ts';
import { streamSpeech } from './stream-speech.ts';

const MS = 24;
const never = new AbortController().signal;

const textOf = (part: SpeechPart) => ('text' in part ? part.text : part.spokenForm);

/** Speaks each character for 100 ms; `calls` records the start (+) and end (-) of each call. */
function fakeSpeak(calls: string[] = []): Speak {
  return async function* (speech, signal) {
    const text = speech.text.parts.map(textOf).join('');
    calls.push(`+${text}`);
    try {
      for (const [index, char] of [...text].entries()) {
        await nextTurn();
        signal.throwIfAborted();
        if (char === '×') throw new AppError('engine_failed');
        if (char === '·') continue;
        yield audio(100 * MS);
        yield word(char, index * 100, index * 100 + 100);
      }
    } finally {
      calls.push(`-${text}`);
    }
  };
}

const refuse: Speak = () => {
  throw new AppError('invalid_request', 'Unsuitable text.');
};

const streamOf = (speak: Speak, concurrency = 2) => ({ speak, scheduler: new FairScheduler(concurrency) });

async function speak(
  texts: readonly string[],
  { speak = fakeSpeak(), ...change }: Partial<SynthesizerCapabilities> & { speak?: Speak } = {},
) {
  const events: StreamEvent[] = [];
  for await (const event of streamSpeech(streamOf(speak), speechOf(texts, change), never)) {
    events.push(event);
  }
  const words = events.flatMap((event) => (event.type === 'word' ? [event] : []));
  const samples = events.reduce((sum, event) => sum + (event.type === 'audio' ? event.samples.length : 0), 0);
  return { durationMs: samples / MS, words };
}

test('pieces form one continuous sound, and times count from its start', async () => {
  const { durationMs, words } = await speak(['早晨', '你', '好']);
  expect(durationMs).toBe(400);
  expect(words.map(({ word }) => word)).toEqual([
    { text: '早', startMs: 0, endMs: 100 },
    { text: '晨', startMs: 100, endMs: 200 },
    { text: '你', startMs: 200, endMs: 300 },
    { text: '好', startMs: 300, endMs: 400 },
  ]);
  expect(words[3]?.syllables).toEqual([{ text: '好1', startMs: 300, endMs: 400 }]);
});

test('the next piece is made while the present one is read, one ahead and one at a time', async () => {
  const calls: string[] = [];
  const events = streamSpeech(streamOf(fakeSpeak(calls)), speechOf(['一二', '三', '四', '五']), never);
  await events.next();
  for (let i = 0; i < 100; i += 1) await nextTurn();
  expect(calls).toEqual(['+一二', '-一二', '+三', '-三']);
  for await (const _ of events);
  expect(calls).toEqual(['+一二', '-一二', '+三', '-三', '+四', '-四', '+五', '-五']);
});

test('a piece comes with those beside it, up to a pause', async () => {
  const beside: unknown[] = [];
  const listen: Speak = (run, signal) => {
    const { before, after } = run.text.beside;
    beside.push([before.map(textOf).join(''), after.map(textOf).join('')]);
    return fakeSpeak()(run, signal);
  };
  const listenTo = async (words: readonly string[]) => {
    beside.length = 0;
    const speech = speechOf(words, { readings: true });
    const text = { ...speech.text, pausesMs: [0, 0, 0, 500, 0] };
    for await (const _ of streamSpeech(streamOf(listen), { ...speech, text }, never));
    return beside;
  };
  expect(await listenTo(['一', '二', 'san1', '四'])).toEqual([
    ['', '二san1'],
    ['一', 'san1'],
    ['一二', ''],
    ['', ''],
  ]);
  // Without letters nothing explains another part.
  expect(await listenTo(['一', '二', '三', '四'])).toEqual(Array.from({ length: 4 }, () => ['', '']));
});

test('a model that takes whole texts gets all parts in one call', async () => {
  const calls: string[] = [];
  const { durationMs } = await speak(['一', '二', '三'], { unit: 'text', speak: fakeSpeak(calls) });
  expect([durationMs, calls]).toEqual([300, ['+一二三', '-一二三']]);
});

test('a model without word times: words share the sound of their piece by length', async () => {
  const { words } = await speak(['今日好coffee。', '早'], { wordTimes: false });
  const times = words.map(({ word: { text, startMs, endMs } }) => [text, Math.round(startMs), Math.round(endMs)]);
  expect(times.at(0)?.[1]).toBe(0);
  expect(times.at(-2)).toEqual(['coffee', expect.any(Number), 1_000]);
  expect(times.at(-1)).toEqual(['早', 1_000, 1_100]);
  expect(times.slice(1).map(([, startMs]) => startMs)).toEqual(times.slice(0, -1).map(([, , endMs]) => endMs));
});

test('a piece without sound has no words and takes no time', async () => {
  const { durationMs, words } = await speak(['早', '··', '晨'], { wordTimes: false });
  expect([durationMs, words.map(({ word }) => word.text)]).toEqual([200, ['早', '晨']]);
});

test.each([
  ['a text without any sound', ['·', '··']],
  ['a failure at once', ['×']],
  ['a failure after a silent piece', ['·', '×']],
])('%s is reported as `upstream_unavailable`', async (_, texts) => {
  await expect(speak(texts)).rejects.toMatchObject({ code: 'upstream_unavailable', cause: { code: 'engine_failed' } });
});

test('a failure after the first sound is reported unchanged, a refusal always', async () => {
  await expect(speak(['早', '×'])).rejects.toMatchObject({ code: 'engine_failed' });
  await expect(speak(['早'], { speak: refuse })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('an abort ends the present piece and the next one at once, with its reason', async () => {
  const calls: string[] = [];
  const aborting = new AbortController();
  // The second is longer than the buffer, so that it is still being made.
  const events = streamSpeech(streamOf(fakeSpeak(calls)), speechOf(['一', '二'.repeat(1_000)]), aborting.signal);
  await events.next();
  for (let i = 0; i < 20; i += 1) await nextTurn();
  aborting.abort(CLIENT_DISCONNECTED);
  await expect(events.next()).rejects.toBe(CLIENT_DISCONNECTED);
  for (let i = 0; i < 5; i += 1) await nextTurn();
  expect(calls.filter((call) => call.startsWith('+'))).toHaveLength(2);
  expect(calls.filter((call) => call.startsWith('-'))).toHaveLength(2);
});

test('a reader that stops early ends all calls', async () => {
  const calls: string[] = [];
  for await (const _ of streamSpeech(streamOf(fakeSpeak(calls)), speechOf(['一二三', '四']), never)) break;
  for (let i = 0; i < 20; i += 1) await nextTurn();
  expect(calls.filter((call) => call.startsWith('+')).length).toBe(calls.filter((call) => call.startsWith('-')).length);
});

test('with one call at a time, a speech that has not started goes before one that is ahead of its reader', async () => {
  const calls: string[] = [];
  const stream = streamOf(fakeSpeak(calls), 1);
  const read = async (...texts: string[]) => Array.fromAsync(streamSpeech(stream, speechOf(texts), never));
  await Promise.all([read('甲甲甲', '乙乙乙', '丙丙丙'), read('丁丁丁', '戊戊戊'), read('己己己')]);
  expect(calls.filter((call) => call.startsWith('+')).join('')).toBe('+甲甲甲+丁丁丁+己己己+乙乙乙+戊戊戊+丙丙丙');
  expect(calls.every((call, i) => i % 2 === 0 || call === `-${calls[i - 1]?.slice(1)}`)).toBe(true);
});

test('a speech that waits for its turn ends when it is aborted', async () => {
  const aborting = new AbortController();
  const next = streamSpeech(streamOf(fakeSpeak(), 0), speechOf(['一']), aborting.signal).next();
  setTimeout(() => aborting.abort(CLIENT_DISCONNECTED), 10);
  await expect(next).rejects.toBe(CLIENT_DISCONNECTED);
});

test.each([
  ['piece', ['+早晨', '-早晨', '+你', '-你', '+好', '-好']],
  ['text', ['+早晨', '-早晨', '+你好', '-你好']],
] as const)('pauses are silence around the parts of a %s, and count in its times', async (unit, expectedCalls) => {
  const calls: string[] = [];
  const speech = speechOf(['早晨', '你', '好'], { unit });
  const text = { ...speech.text, pausesMs: [300, 1_500, 0, 200] };
  const events: StreamEvent[] = [];
  for await (const event of streamSpeech(
    streamOf(fakeSpeak(calls)),
    withStyle({ ...speech, text }, { speed: 2 }),
    never,
  )) {
    events.push(event);
  }
  expect(calls).toEqual(expectedCalls);
  // At twice the speed, pauses are half as long.
  const samples = events.flatMap((event) => (event.type === 'audio' ? [...event.samples] : []));
  expect(samples.length / MS).toBe(150 + 200 + 750 + 200 + 100);
  expect(samples.slice(0, 150 * MS).every((sample) => sample === 0)).toBe(true);
  expect(samples.slice(350 * MS, 1_100 * MS).every((sample) => sample === 0)).toBe(true);
  const starts = events.flatMap((event) => (event.type === 'word' ? [event.word.startMs] : []));
  expect(starts).toEqual([150, 250, 1_100, 1_200]);
});

test('a pause before a failure is not sent', async () => {
  const speech = speechOf(['×']);
  const stream = streamSpeech(
    streamOf(fakeSpeak()),
    { ...speech, text: { ...speech.text, pausesMs: [500, 500] } },
    never,
  );
  await expect(stream.next()).rejects.toMatchObject({ code: 'upstream_unavailable' });
});

test('speakers change within a text, each with its own model', async () => {
  const calls: [string, string, string][] = [];
  const listen: Speak = (run, signal) => {
    calls.push([run.text.parts.map(textOf).join(''), run.voice.id, run.text.language]);
    return fakeSpeak()(run, signal);
  };
  const speech = speechOf(['一', '二', '三', '四'], { unit: 'text' });
  const guest = { language: 'english', model: speechOf([]).model, voice: { ...speech.voice, id: 'guest' } } as const;
  const parts = speech.text.parts.map((part, index) =>
    index === 1 || index === 2 ? { ...part, speaker: guest } : part,
  );
  const text = { ...speech.text, parts };
  const words: unknown[] = [];
  for await (const event of streamSpeech(streamOf(listen), { ...speech, text }, never)) {
    if (event.type === 'word') words.push([event.word.text, event.word.startMs]);
  }
  // The model of the guest takes pieces, the other one whole texts.
  expect(calls).toEqual([
    ['一', 'v', 'cantonese'],
    ['二', 'guest', 'english'],
    ['三', 'guest', 'english'],
    ['四', 'v', 'cantonese'],
  ]);
  expect(words).toEqual([
    ['一', 0],
    ['二', 100],
    ['三', 200],
    ['四', 300],
  ]);
});

test.each([true, false])('marks are told at the words after them (a model with word times: %s)', async (wordTimes) => {
  const speech = speechOf(['一二', '三'], { wordTimes, unit: 'text' });
  const marks = [
    { name: 'begin', part: 0, at: 0 },
    { name: 'within', part: 0, at: 1 },
    { name: 'after', part: 0, at: 2 },
    { name: 'end', part: 1, at: 1 },
  ];
  const text = { ...speech.text, marks, pausesMs: [0, 500, 0] };
  const times: [string, number][] = [];
  for await (const event of streamSpeech(streamOf(fakeSpeak()), { ...speech, text }, never)) {
    if (event.type === 'mark') times.push([event.name, event.atMs]);
  }
  // Without word times, 一二 may be one word.
  expect(times.filter(([name]) => name !== 'within' || wordTimes)).toEqual([
    ['begin', 0],
    ...(wordTimes ? [['within', 100]] : []),
    ['after', 200],
    ['end', 800],
  ]);
});
