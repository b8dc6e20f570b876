import { expect, it } from 'vitest';
import { chooseMeasures, UnknownMeasureError } from './choose-measures.ts';

const ABILITIES = { stt: { memory: 1, polling: 2 }, tts: { streams: 3 }, memory: { service: 4 } };

it.each([
  [['tts'], ['tts streams']],
  [
    ['stt', 'tts'],
    ['stt memory', 'stt polling', 'tts streams'],
  ],
  [
    ['stt', 'polling', 'memory', 'memory'],
    ['stt polling', 'stt memory', 'stt memory'],
  ],
  [
    ['stt', 'memory', 'tts', 'memory'],
    ['stt memory', 'tts streams', 'memory service'],
  ],
])('%j chooses %j', (words, names) => {
  expect(chooseMeasures(words, ABILITIES).map(({ name }) => name)).toEqual(names);
});

it.each([[['streams']], [['tts', 'polling']], [['toString']], [['tts', 'constructor']]])('%j is unknown', (words) => {
  expect(() => chooseMeasures(words, ABILITIES)).toThrow(UnknownMeasureError);
});
