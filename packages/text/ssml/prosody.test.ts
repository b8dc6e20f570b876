import { expect, test } from 'vitest';
import { wordsOfSsml } from '#text/testing/spoken-ssml.ts';
import { pitchFor } from './prosody.ts';

const round = (value: number) => Math.round(value * 100) / 100;

/** The style of the word 早 in a document, rounded; null: none. */
async function styleIn(contents: string) {
  const words = await wordsOfSsml(`<speak>${contents}</speak>`, 'cantonese');
  const style = words.find(({ written }) => written === '早')?.style;
  if (style === undefined) return null;
  return [round(style.rate), round(style.semitones), round(style.gain)];
}

test('rates, pitches and volumes become factors and semitones', async () => {
  const rows: [attributes: string, style: number[] | null][] = [
    ['rate="slow"', [0.64, 0, 1]],
    ['rate="X-FAST"', [2, 0, 1]],
    ['rate="80%"', [0.8, 0, 1]],
    ['rate="+20%"', [1.2, 0, 1]],
    ['rate="-20.00%"', [0.8, 0, 1]],
    ['rate="1.5"', [1.5, 0, 1]],
    ['rate="90"', [0.5, 0, 1]],
    ['rate="180"', null],
    ['rate="medium"', null],
    ['rate="100%" pitch="+0%" volume="medium"', null],
    ['pitch="+2st"', [1, 2, 1]],
    ['pitch="-1.5st"', [1, -1.5, 1]],
    ['pitch="high"', [1, 3, 1]],
    ['pitch="+100%"', [1, 12, 1]],
    ['pitch="-50%"', [1, -12, 1]],
    // The voice has 200 Hz.
    ['pitch="400Hz"', [1, 12, 1]],
    ['pitch="-100Hz"', [1, -12, 1]],
    ['pitch="+900hz"', [1, 12, 1]],
    ['volume="+6dB"', [1, 0, 2]],
    ['volume="-6dB"', [1, 0, 0.5]],
    ['volume="silent"', [1, 0, 0]],
    ['volume="soft"', [1, 0, 0.5]],
    ['volume="50"', [1, 0, 0.5]],
    ['volume="+50%"', [1, 0, 1.5]],
    ['volume="+100dB"', [1, 0, 4]],
    ['rate="fast" pitch="low" volume="x-soft"', [1.55, -3, 0.25]],
    ['', null],
  ];
  const wrong: string[] = [];
  for (const [attributes, expected] of rows) {
    const style = await styleIn(`<prosody ${attributes}>早</prosody>`);
    if (JSON.stringify(style) !== JSON.stringify(expected)) wrong.push(`${attributes}: ${JSON.stringify(style)}`);
  }
  expect(wrong).toEqual([]);
});

test('elements within each other add up, and end with their elements', async () => {
  expect(
    await styleIn('<prosody rate="50%" pitch="+2st"><prosody rate="150%" pitch="+1st">早</prosody></prosody>'),
  ).toEqual([0.75, 3, 1]);
  expect(await styleIn('<prosody pitch="+12st"><prosody pitch="+200Hz">早</prosody></prosody>')).toEqual([1, 12, 1]);
  expect(await styleIn('<prosody rate="slow">晨</prosody>早')).toBeNull();
  expect(await styleIn('<emphasis level="none">早</emphasis>')).toBeNull();
  const strong = await styleIn('<emphasis level="strong">早</emphasis>');
  const moderate = await styleIn('<emphasis>早</emphasis>');
  const reduced = await styleIn('<emphasis level="reduced">早</emphasis>');
  expect([strong![0]! < moderate![0]!, moderate![0]! < 1, reduced![0]! > 1]).toEqual([true, true, true]);
  expect([strong![2]! > moderate![2]!, moderate![2]! > 1, reduced![2]! < 1]).toEqual([true, true, true]);
});

test('a style within a sentence leaves its words together', async () => {
  const words = await wordsOfSsml('<speak>我去<emphasis>銀行</emphasis>攞<w>錢</w>。</speak>', 'cantonese');
  expect(words.map(({ written, style }) => [written, style !== undefined])).toEqual([
    ['我去', false],
    ['銀行', true],
    ['攞', false],
    ['錢', false],
  ]);
});

test('a pitch out of bounds becomes the bound, and is told from others', () => {
  expect(pitchFor([{ kind: 'semitones', value: 12 }], 200)).toEqual({ semitones: 12, isBound: false });
  expect(pitchFor([{ kind: 'semitones', value: 30 }], 100)).toEqual({ semitones: 12, isBound: true });
  expect(pitchFor([{ kind: 'absolute-hertz', value: 20 }], 80)).toEqual({ semitones: -12, isBound: true });
  expect(pitchFor([], 200)).toEqual({ semitones: 0, isBound: false });
  const half = { kind: 'semitones', value: 6 } as const;
  for (let hz = 80; hz <= 250; hz += 1) expect(pitchFor([half, half], hz).isBound).toBe(false);
});
