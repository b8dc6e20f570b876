import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import type { SpeechEvent } from '#server/features/synthesis/speech.ts';
import { gatherSound } from './gather-sound.ts';

/** The sound of a model, in units of the least significant bit. */
const sound = (...values: number[]): SynthesisEvent => ({
  type: 'audio',
  samples: Float32Array.from(values, (value) => value / 32_768),
});
const passed = (...values: number[]): SpeechEvent => ({ type: 'audio', samples: Int16Array.from(values) });
const word = (text: string): Extract<SynthesisEvent, { type: 'word' }> => {
  return { type: 'word', word: { text, startMs: 0, endMs: 1 }, syllables: [] };
};
const noise = (samples: number, value: number) => sound(...Array.from({ length: samples }, () => value));
const samplesOf = (events: readonly SpeechEvent[]) =>
  events.flatMap((event) => (event.type === 'audio' ? [...event.samples] : []));

async function* inTurn(events: readonly (SynthesisEvent | 'pause')[]): AsyncGenerator<SynthesisEvent> {
  for (const event of events) {
    if (event === 'pause') await sleep(60);
    else yield event;
  }
}

async function* failing(): AsyncGenerator<SynthesisEvent> {
  yield sound(1);
  yield word('晨');
  yield sound(2);
  throw new Error('the model failed');
}

async function gathered(...events: (SynthesisEvent | 'pause')[]): Promise<SpeechEvent[][]> {
  const lists: SpeechEvent[][] = [];
  for await (const list of gatherSound(inTurn(events))) lists.push(list);
  return lists;
}

test('the first sound is passed on alone, with the words before it', async () => {
  const lists = await gathered(word('早'), sound(1), sound(2), word('晨'), sound(3));
  expect(lists[0]).toEqual([word('早'), passed(1)]);
  expect(lists.flat()).toContainEqual(word('晨'));
});

test('sound after a pause is passed on at once', async () => {
  const lists = await gathered(sound(1), 'pause', sound(2), 'pause', word('晨'), sound(3));
  expect(lists).toEqual([[passed(1)], [passed(2)], [word('晨'), passed(3)]]);
});

test('sound is not held while the model makes no more', async () => {
  const lists = await gathered(sound(1), word('早'), sound(2), 'pause', sound(3));
  expect(lists).toEqual([[passed(1)], [word('早'), passed(2)], [passed(3)]]);
});

test('a listener that leaves ends the model', async () => {
  let hasEnded = false;
  const endless = async function* (): AsyncGenerator<SynthesisEvent> {
    try {
      for (;;) yield sound(1);
    } finally {
      hasEnded = true;
    }
  };
  for await (const list of gatherSound(endless())) {
    expect(list).toEqual([passed(1)]);
    break;
  }
  expect(hasEnded).toBe(true);
});

test('no sample is lost or changed, and no piece is longer than 500 ms', async () => {
  const lengths = Array.from({ length: 300 }, (_, i) => 1 + ((i * 997) % 4_000));
  const values = lengths.flatMap((length, i) => Array.from({ length }, () => i));
  const sounds = lengths.map((length, i) => noise(length, i));
  const lists = await gathered(...sounds.flatMap((sound, i) => (i % 3 === 0 ? [word(String(i)), sound] : [sound])));
  expect(samplesOf(lists.flat())).toEqual(values);
  const words = lists.flat().flatMap((event) => (event.type === 'word' ? [event.word.text] : []));
  expect(words).toEqual(Array.from({ length: 100 }, (_, i) => String(3 * i)));
  expect(Math.max(...lists.map((list) => samplesOf(list).length))).toBeLessThanOrEqual(12_000);
});

test('words without sound come at the end, and a failure after the sound before it', async () => {
  expect((await gathered(word('一'), word('二'))).flat()).toEqual([word('一'), word('二')]);
  const received: SpeechEvent[] = [];
  const read = async () => {
    for await (const list of gatherSound(failing())) received.push(...list);
  };
  await expect(read()).rejects.toThrow('the model failed');
  expect(received).toEqual([passed(1), word('晨'), passed(2)]);
});
