import { expect, test } from 'vitest';
import { followInstructions } from './read-instructions.ts';

const NEUTRAL = { speed: 1, pitchSemitones: 0, temperature: 0.9, topP: 0.95 };
const model = (speed: boolean, pitch: boolean) => ({ capabilities: { adjusts: { speed, pitch } } }) as never;

test.each([
  ['Speak slowly and clearly.', 0.87, 0, 0.9],
  ['Speak very slowly.', 0.75, 0, 0.9],
  ['Talk fast!', 1.2, 0, 0.9],
  ['Cheerful and quick', 1.2, 1, 1.1],
  ['請講慢啲，語氣平靜', 0.87, -0.5, 0.5],
  ['In a sad voice', 1, -1.5, 0.6],
  ['Like a pirate', 1, 0, 0.9],
  ['我好快樂', 1, 1, 1.1],
  ['', 1, 0, 0.9],
  [undefined, 1, 0, 0.9],
  [{ tone: 'cheerful' }, 1, 0, 0.9],
])('%j', (instructions, speed, pitchSemitones, temperature) => {
  expect(followInstructions(NEUTRAL, instructions, model(true, true))).toEqual({
    speed,
    pitchSemitones,
    temperature,
    topP: 0.95,
  });
});

test('changes nothing that the model cannot change', () => {
  const requested = { ...NEUTRAL, speed: 2 };
  expect(followInstructions(requested, 'slow and sad', model(false, false))).toEqual({
    ...requested,
    temperature: 0.6,
  });
});
