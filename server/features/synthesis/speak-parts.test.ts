import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import type { SynthesisEvent, SynthesizerCapabilities } from '@jyutsing/contracts/synthesizer';
import { speakParts } from './speak-parts.ts';
import type { Speak, SpeakCall, SpeechPart } from './stages.ts';
import { DeadlineScheduler } from '@jyutsing/concurrency/deadline-scheduler';
import { audio, CAPABILITIES, HUNG_UP, speechOf, word } from '#test/speech-parts.ts';

const MS = 24;

function callOf(...texts: string[]): SpeakCall {
  const { script, speaker, ...rest } = speechOf(texts);
  return { ...rest, ...script, model: speaker };
}

const textOf = (part: SpeechPart) => ('text' in part ? part.text : part.spokenForm);

/** Says each character of a part for 100 ms, and tells when it begins and ends. */
function speaker(calls: string[] = []): Speak {
  return async function* (call, signal) {
    const text = call.parts.map(textOf).join('');
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
  throw new AppError('invalid_request', 'Not such a text.');
};

/** Two places of its own for each. */
const placeOf = (speak: Speak, change: Partial<SynthesizerCapabilities> = {}) => ({
  speak,
  turns: new DeadlineScheduler(),
  speaker: { capabilities: { ...CAPABILITIES, ...change }, places: 2 },
});

async function speak(
  call: SpeakCall,
  { speak = speaker(), ...change }: Partial<SynthesizerCapabilities> & { speak?: Speak } = {},
) {
  const events: SynthesisEvent[] = [];
  for await (const event of speakParts(placeOf(speak, change), call, new AbortController().signal)) {
    events.push(event);
  }
  const words = events.flatMap((event) => (event.type === 'word' ? [event] : []));
  const samples = events.reduce((sum, event) => sum + (event.type === 'audio' ? event.samples.length : 0), 0);
  return { durationMs: samples / MS, words };
}

test('pieces are one sound, and words and syllables keep their place in it', async () => {
  const { durationMs, words } = await speak(callOf('早晨', '你', '好'));
  expect(durationMs).toBe(400);
  expect(words.map(({ word }) => word)).toEqual([
    { text: '早', startMs: 0, endMs: 100 },
    { text: '晨', startMs: 100, endMs: 200 },
    { text: '你', startMs: 200, endMs: 300 },
    { text: '好', startMs: 300, endMs: 400 },
  ]);
  expect(words[3]?.syllables).toEqual([{ text: '好1', startMs: 300, endMs: 400 }]);
});

test('the next piece is made while the present one is read, one ahead and no more, one at a time', async () => {
  const calls: string[] = [];
  const events = speakParts(placeOf(speaker(calls)), callOf('一二', '三', '四', '五'), new AbortController().signal);
  await events.next();
  for (let i = 0; i < 100; i += 1) await nextTurn();
  expect(calls).toEqual(['+一二', '-一二', '+三', '-三']);
  for await (const _ of events);
  expect(calls).toEqual(['+一二', '-一二', '+三', '-三', '+四', '-四', '+五', '-五']);
});

test('a model that takes whole texts is given all of it at once', async () => {
  const calls: string[] = [];
  const { durationMs } = await speak(callOf('一', '二', '三'), { unit: 'text', speak: speaker(calls) });
  expect([durationMs, calls]).toEqual([300, ['+一二三', '-一二三']]);
});

test('where nobody tells times, words share the sound of their piece by length', async () => {
  const { words } = await speak(callOf('今日好coffee。', '早'), { wordTimes: false });
  const times = words.map(({ word: { text, startMs, endMs } }) => [text, Math.round(startMs), Math.round(endMs)]);
  expect(times.at(0)?.[1]).toBe(0);
  expect(times.at(-2)).toEqual(['coffee', expect.any(Number), 1_000]);
  expect(times.at(-1)).toEqual(['早', 1_000, 1_100]);
  expect(times.slice(1).map(([, startMs]) => startMs)).toEqual(times.slice(0, -1).map(([, , endMs]) => endMs));
});

test('a piece of which nothing is said has no words and takes no time', async () => {
  const { durationMs, words } = await speak(callOf('早', '··', '晨'), { wordTimes: false });
  expect([durationMs, words.map(({ word }) => word.text)]).toEqual([200, ['早', '晨']]);
});

test.each([
  ['a text without any sound', callOf('·', '··')],
  ['a failure at once', callOf('×')],
  ['a failure after a silent piece', callOf('·', '×')],
])('%s is a speaker that cannot be reached', async (_, call) => {
  await expect(speak(call)).rejects.toMatchObject({ code: 'upstream_unavailable', cause: { code: 'engine_failed' } });
});

test('a failure after the first sound is told as it is, a refusal always', async () => {
  await expect(speak(callOf('早', '×'))).rejects.toMatchObject({ code: 'engine_failed' });
  await expect(speak(callOf('早'), { speak: refuse })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('an abort ends the present piece and the one ahead at once, with its reason', async () => {
  const calls: string[] = [];
  const leaving = new AbortController();
  // The second is longer than what may lie ahead, so that it is still being made.
  const events = speakParts(placeOf(speaker(calls)), callOf('一', '二'.repeat(1_000)), leaving.signal);
  await events.next();
  for (let i = 0; i < 20; i += 1) await nextTurn();
  leaving.abort(HUNG_UP);
  await expect(events.next()).rejects.toBe(HUNG_UP);
  for (let i = 0; i < 5; i += 1) await nextTurn();
  expect(calls.filter((call) => call.startsWith('+'))).toHaveLength(2);
  expect(calls.filter((call) => call.startsWith('-'))).toHaveLength(2);
});

test('a listener that leaves early ends all of it', async () => {
  const calls: string[] = [];
  for await (const _ of speakParts(placeOf(speaker(calls)), callOf('一二三', '四'), new AbortController().signal))
    break;
  for (let i = 0; i < 20; i += 1) await nextTurn();
  expect(calls.filter((call) => call.startsWith('+')).length).toBe(calls.filter((call) => call.startsWith('-')).length);
});

test('where one speaks at a time, a speech that has not begun goes before one that is ahead of its listener', async () => {
  const calls: string[] = [];
  const place = { ...placeOf(speaker(calls)), speaker: { capabilities: CAPABILITIES, places: 1 } };
  const read = async (...texts: string[]) =>
    Array.fromAsync(speakParts(place, callOf(...texts), new AbortController().signal));
  await Promise.all([read('甲甲甲', '乙乙乙', '丙丙丙'), read('丁丁丁', '戊戊戊'), read('己己己')]);
  expect(calls.filter((call) => call.startsWith('+')).join('')).toBe('+甲甲甲+丁丁丁+己己己+乙乙乙+戊戊戊+丙丙丙');
  expect(calls.every((call, i) => i % 2 === 0 || call === `-${calls[i - 1]?.slice(1)}`)).toBe(true);
});

test('a speech that waits for its turn ends when it is aborted', async () => {
  const place = { ...placeOf(speaker()), speaker: { capabilities: CAPABILITIES, places: 0 } };
  const leaving = new AbortController();
  const next = speakParts(place, callOf('一'), leaving.signal).next();
  setTimeout(() => leaving.abort(HUNG_UP), 10);
  await expect(next).rejects.toBe(HUNG_UP);
});
