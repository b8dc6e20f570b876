import { expect, test } from 'vitest';
import { newRecord, type RecordChange } from '#test/transcription-records.ts';
import { countRecords, countRepeats, countSpeech } from './kill-counts.ts';

/** A completed record of three seconds that was submitted under a name. */
const record = (name: string, change: RecordChange = {}) =>
  newRecord('an account', {
    status: 'completed',
    callbackUrl: `http://127.0.0.1:1/${name}`,
    cacheKey: name,
    creditsUsed: 3,
    ...change,
  });
const counts = (found: Partial<Parameters<typeof countRecords>[0]>, delivered = ['a', 'b']) => {
  const whole = { records: [record('a'), record('b')], usedSeconds: 6, reservations: 0, ...found };
  return Object.fromEntries(countRecords(whole, 2, new Set(delivered)).filter(([, count]) => count !== 0));
};

test('nothing is counted when each submission has one record, one charge and a delivery', () => {
  expect(counts({})).toEqual({});
  const joined = [record('a'), record('b', { cacheKey: 'a', creditsUsed: 0 })];
  expect(counts({ records: joined, usedSeconds: 3 })).toEqual({});
});

test('a second record, a second charge, an open reservation and a missing delivery are counted', () => {
  const again = [record('a'), record('b'), record('a', { cacheKey: 'c' })];
  expect(counts({ records: again, usedSeconds: 9 })).toEqual({ 'second records of 2 submissions': 1 });
  const twice = [record('a'), record('b', { cacheKey: 'a' })];
  expect(counts({ records: twice })).toEqual({ 'second charges of 1 different recordings': 1 });
  expect(counts({ usedSeconds: 9 })).toEqual({ 'seconds of quota too many or too few, of 6': 3 });
  expect(counts({ reservations: 1 })).toEqual({ 'reservations left': 1 });
  expect(counts({}, ['a'])).toEqual({ 'not delivered of 2 records': 1 });
  const open = [record('a'), record('b', { status: 'processing' })];
  expect(counts({ records: open, usedSeconds: 3 })).toEqual({ 'failed of 2 records': 1 });
});

test('a repeated delivery is excused only by a kill between the two', () => {
  expect(countRepeats(['a', 'b', 'c'], [])).toEqual({ afterKill: 0, withoutKill: 0 });
  expect(countRepeats(['a', 'a'], [])).toEqual({ afterKill: 0, withoutKill: 1 });
  expect(countRepeats(['a', 'a'], [1])).toEqual({ afterKill: 1, withoutKill: 0 });
  expect(countRepeats(['a', 'b', 'b', 'a'], [1])).toEqual({ afterKill: 1, withoutKill: 1 });
  expect(countRepeats(['a', 'a', 'a'], [1])).toEqual({ afterKill: 1, withoutKill: 1 });
});

const speech = (characters: number, endedMs: number, isComplete = true) => ({ characters, endedMs, isComplete });

test('complete speech is charged once, interrupted speech is not, and a kill at its end may go either way', () => {
  const requests = [speech(10, 1_000), speech(40, 2_000, false), speech(5, 2_900), speech(20, 4_000)];
  const wrong = (usedCharacters: number) => countSpeech(requests, [3_000], usedCharacters).map(([, count]) => count);
  expect(wrong(35)).toEqual([0, 0]);
  expect(wrong(30)).toEqual([0, 0]);
  expect(wrong(29)).toEqual([1, 0]);
  expect(wrong(75)).toEqual([0, 40]);
});
