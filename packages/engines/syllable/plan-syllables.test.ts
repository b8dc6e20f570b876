import { expect, test } from 'vitest';
import type { SpokenWord } from '@jyutsing/contracts/spoken-text';
import { createLabelFinder } from './find-labels.ts';
import type { SyllableVoice } from './open-voice.ts';
import { englishLabels, planSyllables } from './plan-syllables.ts';
import { soundsOf } from './sounds-of.ts';
import { createUnit, type SoundingUnit } from './unit.ts';
import { wordKey } from './voice-file.ts';

const sounds = soundsOf('mandarin');

/** Makes a voice with these labels and words, without sound. */
function voiceOf(recorded: string): SyllableVoice {
  const keys = recorded.split(' ');
  const open = (label: string): SoundingUnit => {
    const cuts = { start: 0, rime: 0, coda: 10, end: 10, marks: new Int32Array() };
    const unit = createUnit({ label, from: 0, length: 10, ...cuts }, sounds);
    return { ...unit, samples: new Float32Array(10), levels: new Float32Array(unit.marks.length) };
  };
  const labelsFor = createLabelFinder(
    keys.filter((key) => !key.includes('.')),
    sounds,
  );
  return {
    sounds,
    labelsFor,
    find(label) {
      const { sound, tune } = labelsFor(label);
      return { sound: open(typeof sound === 'string' ? sound : label), tune: open(tune) };
    },
    findWord: (labels) =>
      keys.includes(labels.join('.'))
        ? labels.map((_, index) => ({ sound: open(wordKey(labels, index)), tune: open(wordKey(labels, index)) }))
        : null,
    close() {},
  };
}

async function plan(text: string, recorded: string) {
  const words = text.split(' ').map((word): SpokenWord => {
    const [written = '', reading = ''] = word.split('=');
    return { written, language: 'mandarin', spokenForm: written, reading: reading.split('.') };
  });
  return planSyllables({ words, ending: 'statement' }, voiceOf(recorded), () => Promise.resolve(() => []));
}

test('the longest recorded words are used whole, and other syllables by themselves', async () => {
  const planned = await plan('图书馆员=tu2.shu1.guan3.yuan2', 'tu2.shu1 tu2.shu1.guan3 yuan2 tu2 shu1 guan3');
  expect(planned.map(({ sound }) => sound.label)).toEqual([
    'tu2.shu1.guan3/0',
    'tu2.shu1.guan3/1',
    'tu2.shu1.guan3/2',
    'yuan2',
  ]);
  expect(planned.map(({ followsOn, isFollowed }) => [followsOn, isFollowed])).toEqual([
    [false, true],
    [true, true],
    [true, false],
    [false, false],
  ]);
  expect(planned.map(({ label, place, length }) => `${label} ${place}/${length}`).at(-1)).toBe('yuan2 3/4');
});

test('recordings are not joined across words', async () => {
  const planned = await plan('大=da4 家=jia1', 'da4.jia1 da4 jia1');
  expect(planned.map(({ followsOn, isFollowed }) => [followsOn, isFollowed])).toEqual([
    [false, false],
    [false, false],
  ]);
});

const contours = async (text: string) => (await plan(text, 'hao3 de5 da4 de1')).map(({ contour }) => contour);

test('a neutral tone has the height that the tone before it asks for', async () => {
  const [, afterThird] = await contours('好=hao3 的=de5');
  const [, afterFourth] = await contours('大=da4 的=de5');
  if (afterThird === null || !('from' in afterThird!)) throw new Error('no line');
  if (afterFourth === null || !('from' in afterFourth!)) throw new Error('no line');
  expect(afterThird.from).toBeGreaterThan(afterFourth.from);
  expect(afterThird.to).toBeGreaterThan(afterFourth.to + 2);
});

test('a third tone before another syllable does not rise again', async () => {
  const planned = await plan('好=hao3 大=da4 好=hao3', 'hao3 da4');
  const parts = planned.map(({ contour }) => (contour !== null && 'upTo' in contour ? contour.upTo : null));
  expect(parts[0]).toBeLessThan(parts[2]!);
  expect(parts[1]).toBeNull();
});

test.each([
  { reading: ['hau2'] },
  { reading: [] },
  { language: 'cantonese' as const, reading: ['hou2'] },
  { language: 'english' as const, reading: [] },
])('a word without a sound is an error, never silence: %j', async (change) => {
  const word: SpokenWord = { written: '好', language: 'mandarin', spokenForm: '好', ...change };
  const planned = planSyllables({ words: [word], ending: 'statement' }, voiceOf('hao3'), () =>
    Promise.resolve(() => []),
  );
  await expect(planned).rejects.toThrow('The voice has no sound for "好"');
});

const sayShirt = (part: string) => (part === 'shirt' ? [['SH', 'ER1', 'T']] : [['T', 'IY1']]);

test('parts of a word with hyphens are said one by one, letters by their names', async () => {
  const word: SpokenWord = { written: 'T-shirt', language: 'english', spokenForm: 'T-shirt', reading: [] };
  expect(await englishLabels(word, soundsOf('cantonese'), async () => sayShirt)).toEqual(['ti1', 'seot1']);
});

test('signs are no words', async () => {
  expect((await plan('好=hao3 😀 好=hao3', 'hao3')).map(({ label }) => label)).toEqual(['hao3', 'hao3']);
});
