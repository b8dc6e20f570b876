import { expect, test } from 'vitest';
import { withRequired } from '@jyutsing/engines/runtime/model-files/with-required';
import { nearNames, requireKnownNames } from './models-names.ts';

const NAMES = ['wsyue-u2pp', 'sense-voice-2024', 'sense-voice-yue-2025', 'whisper-tiny', 'whisper-turbo', 'silero-vad'];

test.each([
  ['sensevoice', ['sense-voice-2024', 'sense-voice-yue-2025']],
  ['Whisper_Tiny', ['whisper-tiny']],
  ['silerovad', ['silero-vad']],
  ['wsyue-u2p', ['wsyue-u2pp']],
  ['u2pp-wsyue', ['wsyue-u2pp']],
  ['gpt', []],
])('%s suggests %j', (typed, expected) => {
  expect(nearNames(typed, NAMES).slice(0, expected.length || undefined)).toEqual(expected);
});

test('an unknown name is refused with suggestions, or a pointer to the list', () => {
  expect(() => requireKnownNames(['silero-vad', 'silero'], NAMES)).toThrow(
    'There is no model "silero"; did you mean silero-vad?',
  );
  expect(() => requireKnownNames(['x'], NAMES)).toThrow('There is no model "x"; "models list" shows all names.');
  expect(() => requireKnownNames(NAMES, NAMES)).not.toThrow();
});

test('what a package needs is pulled with it, once and after what is named', () => {
  const packages = [
    { name: 'voice', requires: ['vocoder'] },
    { name: 'other-voice', requires: ['vocoder', 'voice'] },
    { name: 'vocoder' },
    { name: 'unrelated' },
  ];
  expect(withRequired(['other-voice'], packages).map(({ name }) => name)).toEqual(['other-voice', 'vocoder', 'voice']);
  expect(withRequired(['unrelated'], packages).map(({ name }) => name)).toEqual(['unrelated']);
});
