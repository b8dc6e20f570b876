import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import { gatherSound } from './gather-sound.ts';

const sound = (...samples: number[]): SynthesisEvent => ({ type: 'audio', samples: Float32Array.from(samples) });
const word = (text: string): SynthesisEvent => ({ type: 'word', word: { text, startMs: 0, endMs: 1 }, syllables: [] });
const noise = (samples: number, value: number) => sound(...Array.from({ length: samples }, () => value));
const samplesOf = (events: readonly SynthesisEvent[]) =>
  events.flatMap((event) => (event.type === 'audio' ? [...event.samples] : []));

async function* inTurn(events: readonly (SynthesisEvent | 'pause')[]): AsyncGenerator<SynthesisEvent> {
  for (const event of events) {
    if (event === 'pause') await sleep(30);
    else yield event;
  }
}

async function gathered(...events: (SynthesisEvent | 'pause')[]): Promise<SynthesisEvent[][]> {
  const lists: SynthesisEvent[][] = [];
  for await (const list of gatherSound(inTurn(events))) lists.push(list);
  return lists;
}

test('the first sound is passed on alone, with the words before it', async () => {
  const lists = await gathered(word('早'), sound(1), sound(2), word('晨'), sound(3));
  expect(lists[0]).toEqual([word('早'), sound(1)]);
  expect(lists.flat()).toContainEqual(word('晨'));
});

test('sound after a pause is passed on at once', async () => {
  const lists = await gathered(sound(1), 'pause', sound(2), 'pause', word('晨'), sound(3));
  expect(lists).toEqual([[sound(1)], [sound(2)], [word('晨'), sound(3)]]);
});

test('no sample is lost or changed, and no piece is longer than 250 ms', async () => {
  const given = Array.from({ length: 300 }, (_, i) => noise(1 + ((i * 997) % 4_000), i));
  const lists = await gathered(...given.flatMap((each, i) => (i % 3 === 0 ? [word(String(i)), each] : [each])));
  expect(samplesOf(lists.flat())).toEqual(samplesOf(given));
  const words = lists.flat().flatMap((event) => (event.type === 'word' ? [event.word.text] : []));
  expect(words).toEqual(Array.from({ length: 100 }, (_, i) => String(3 * i)));
  expect(Math.max(...lists.map((list) => samplesOf(list).length))).toBeLessThanOrEqual(6_000);
});

test('words without sound come at the end, and a failure after the sound before it', async () => {
  expect((await gathered(word('一'), word('二'))).flat()).toEqual([word('一'), word('二')]);
  const received: SynthesisEvent[] = [];
  const failing = async function* () {
    yield sound(1);
    throw new Error('the model failed');
  };
  const read = async () => {
    for await (const list of gatherSound(failing())) received.push(...list);
  };
  await expect(read()).rejects.toThrow('the model failed');
  expect(received).toEqual([sound(1)]);
});
