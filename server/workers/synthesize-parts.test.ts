import { expect, it } from 'vitest';
import type { SpokenPiece } from '@jyutsing/contracts/spoken-text';
import type { SynthesisEvent, SynthesisRequest } from '@jyutsing/contracts/synthesizer';
import { splitSpans, splitText } from '@jyutsing/text/normalization/split-text';
import { speechOf } from '#test/speech-parts.ts';
import type { EngineCache } from './engine-cache.ts';
import { synthesizeParts } from './synthesize-parts.ts';

/** The syllables of a text of which a model gets each piece by itself. */
async function spoken(text: string, language: 'cantonese' | 'mandarin'): Promise<string> {
  const syllables: string[] = [];
  async function* synthesize({ pieces }: { pieces: readonly SpokenPiece[] }): AsyncGenerator<SynthesisEvent> {
    const words = pieces.flatMap(({ phrases }) => phrases.flatMap((phrase) => phrase.words));
    syllables.push(...words.flatMap(({ reading }) => reading));
    yield* [];
  }
  const engines = { open: () => Promise.resolve({ synthesize }) } as unknown as EngineCache;
  const speech = speechOf([], { readings: true });
  const parts = splitText(text, language);
  expect(parts.length).toBeGreaterThan(1);
  for (const [index, part] of parts.entries()) {
    const beside = { before: parts.slice(0, index), after: parts.slice(index + 1) };
    const partText = { ...speech.text, language, parts: [part], beside };
    for await (const _ of synthesizeParts({ ...speech, text: partText }, engines, new AbortController().signal));
  }
  return syllables.join(' ');
}

it('syllables that explain characters of another piece are silent', async () => {
  expect(await spoken('大家早晨呀，daai6 gaa1 zou2 san4 aa3', 'cantonese')).toBe('daai6 gaa1 zou2 san4 aa3');
  const university = '我今天要去北京大学 wǒ jīntiān yào qù Běijīng Dàxué';
  expect(await spoken(university, 'mandarin')).toBe('wo3 jin1 tian1 yao4 qu4 bei3 jing1 da4 xue2');
});

const SOUND_MS = 100;
const SLOW = { rate: 0.5, semitones: 2, gain: 1 };
const SOFT = { rate: 1, semitones: 0, gain: 0.5 };

/**
 * The calls of a model for 我去銀行攞錢, of which a part is slow and a part soft, and the words and
 * sound.
 */
async function styled(adjusts: { speed: boolean; pitch: boolean }) {
  const calls: [spokenForm: string, speed: number, pitchSemitones: number][] = [];
  async function* synthesize({ pieces, speed, pitchSemitones }: SynthesisRequest): AsyncGenerator<SynthesisEvent> {
    calls.push([pieces.map(({ spokenForm }) => spokenForm).join(''), speed, pitchSemitones]);
    const words = pieces.flatMap(({ phrases }) => phrases.flatMap((phrase) => phrase.words));
    for (const [index, { written }] of words.entries()) {
      const word = { text: written, startMs: index * SOUND_MS, endMs: (index + 1) * SOUND_MS };
      yield { type: 'word', word, syllables: [{ ...word, text: 'syllable' }] };
      yield { type: 'audio', samples: new Float32Array(SOUND_MS * 24).fill(0.5) };
    }
  }
  const engines = { open: () => Promise.resolve({ synthesize }) } as unknown as EngineCache;
  const speech = speechOf([], { adjusts });
  const parts = await splitSpans(
    [
      { text: '我去', tokens: null },
      { text: '銀行', tokens: null, style: SLOW },
      { text: '攞錢', tokens: null, style: SOFT },
    ],
    'cantonese',
  );
  const text = { ...speech.text, parts };
  const style = { ...speech.style, speed: 0.8, pitchSemitones: 11 };
  const events: SynthesisEvent[] = [];
  for await (const event of synthesizeParts({ ...speech, text, style }, engines, new AbortController().signal)) {
    events.push(event);
  }
  return {
    calls,
    words: events.flatMap((event) => (event.type === 'word' ? [[event.word.text, event.word.startMs]] : [])),
    syllables: events.flatMap((event) => (event.type === 'word' ? event.syllables.map(({ startMs }) => startMs) : [])),
    levels: events.flatMap((event) => (event.type === 'audio' ? [event.samples[0]] : [])),
  };
}

it('words of another style are spoken by calls of their own, within the bounds of models', async () => {
  const { calls, words, syllables, levels } = await styled({ speed: true, pitch: true });
  expect(calls).toEqual([
    ['我去', 0.8, 11],
    ['銀行', 0.5, 12],
    ['攞錢。', 0.8, 11],
  ]);
  expect(words).toEqual([
    ['我去', 0],
    ['銀行', 100],
    ['攞', 200],
    ['錢', 300],
  ]);
  expect(syllables).toEqual([0, 100, 200, 300]);
  expect(levels).toEqual([0.5, 0.5, 0.25, 0.25]);
});

it('a model that changes neither speed nor pitch is called for other volumes only', async () => {
  const { calls, levels } = await styled({ speed: false, pitch: false });
  expect(calls).toEqual([
    ['我去銀行', 0.8, 11],
    ['攞錢。', 0.8, 11],
  ]);
  expect(levels).toEqual([0.5, 0.5, 0.25, 0.25]);
});
