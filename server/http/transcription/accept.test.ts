import { expect, test } from 'vitest';
import { optionsHere, type AcceptDeps } from './accept.ts';

const OPTIONS = {
  language: 'chinese',
  withTimestamp: false,
  withDiarization: false,
  context: null,
  skipFusion: false,
  corpusIds: null,
  model: null,
} as const;

const withConfig = (config: Partial<AcceptDeps['config']>) =>
  optionsHere(OPTIONS, {
    config: { zhMeans: 'auto', hongKongStyle: 'spoken', keepAudio: false, ...config },
  } as AcceptDeps);

test('settings of the server become options of a request', () => {
  expect(withConfig({})).toEqual(OPTIONS);
  expect(withConfig({ zhMeans: 'cantonese' })).toEqual({ ...OPTIONS, language: 'cantonese' });
  expect(withConfig({ hongKongStyle: 'everyday' })).toEqual({ ...OPTIONS, everydaySpelling: true });
  expect(withConfig({ keepAudio: true })).toEqual({ ...OPTIONS, keepAudio: true });
});
