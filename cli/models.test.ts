import { expect, test } from 'vitest';
import { nearNames, requireKnownNames } from './models-names.ts';
import { readModelSettings } from './models-settings.ts';

const NAMES = ['wsyue-u2pp', 'sense-voice-2024', 'sense-voice-yue-2025', 'whisper-tiny', 'whisper-turbo', 'silero-vad'];
const env = (settings: Record<string, string>) => ({ builtinModelsDir: '/b', modelsDir: '/m', settings });

test.each([
  ['sensevoice', ['sense-voice-2024', 'sense-voice-yue-2025']],
  ['Whisper_Tiny', ['whisper-tiny']],
  ['silerovad', ['silero-vad']],
  ['wsyue-u2p', ['wsyue-u2pp']],
  ['gpt', []],
])('%s suggests %j', (typed, expected) => {
  expect(nearNames(typed, NAMES).slice(0, Math.max(expected.length, 0))).toEqual(expected);
});

test('an unknown name is refused with suggestions, or a pointer to the list', () => {
  expect(() => requireKnownNames(['silero-vad', 'silero'], NAMES)).toThrow(
    'There is no model "silero"; did you mean silero-vad?',
  );
  expect(() => requireKnownNames(['x'], NAMES)).toThrow('There is no model "x"; "models list" shows all names.');
  expect(() => requireKnownNames(NAMES, NAMES)).not.toThrow();
});

test('variables have defaults, and an invalid one is named', () => {
  expect(readModelSettings(env({ STT_MODEL: 'x' }))).toEqual({
    modelsDir: '/m',
    baseUrl: null,
    stallTimeoutMs: 30_000,
    retries: 4,
  });
  expect(readModelSettings(env({ MODELS_BASE_URL: 'https://mirror.example/gh/' })).baseUrl).toBe(
    'https://mirror.example/gh/',
  );
  for (const [name, value] of Object.entries({
    MODELS_BASE_URL: 'ftp://mirror',
    MODELS_STALL_SECONDS: '0',
    MODELS_RETRIES: 'many',
  })) {
    expect(() => readModelSettings(env({ [name]: value }))).toThrow(`Bad configuration. ${name}: `);
  }
  const secret = () => readModelSettings(env({ MODELS_BASE_URL: 'https://me:secret@mirror.example' }));
  expect(secret).toThrow('MODELS_BASE_URL: must not hold a user name or password');
});
