import { expect, test } from 'vitest';
import { isSyllable } from '#text/syllables/jyutping.ts';
import { spellingByReading } from './spelling-by-reading.ts';

test.each([
  ['系', 'hai2', '喺'],
  ['系', 'hai6', '係'],
  ['係', 'hai2', '喺'],
  ['咁', 'gam2', '噉'],
  ['噉', 'gam3', '咁'],
  ['既', 'ge3', '嘅'],
  ['個', 'go2', '嗰'],
  ['果', 'go2', '嗰'],
  ['来', 'lei4', '嚟'],
  ['來', 'lai4', '嚟'],
  ['黎', 'lei4', '嚟'],
  ['架', 'gaa4', '㗎'],
  ['只', 'zek3', '隻'],
  ['只', 'zi2', '只'],
  ['钟', 'zung1', '鐘'],
])('%s recognized as %s is %s', (written, reading, expected) => {
  expect(isSyllable(reading)).toBe(true);
  expect(spellingByReading(written, reading)).toBe(expected);
});

test.each([
  ['來', 'loi4', 'written Chinese: 將來'],
  ['個', 'go3', 'the classifier'],
  ['果', 'gwo2', 'a fruit'],
  ['系', null, 'nothing was recognized'],
  ['系', 'hai', 'no tone'],
  ['系', '', 'nothing was recognized'],
  ['香', 'hai2', 'another character'],
  ['', 'hai2', 'no character'],
  ['系係', 'hai2', 'two characters'],
  ['constructor', 'hai2', 'no character'],
  ['系', 'constructor', 'no syllable'],
  ['__proto__', 'toString', 'no character'],
])('%j recognized as %j is left to the spelling rules: %s', (written, reading, _reason) => {
  expect(spellingByReading(written, reading)).toBeNull();
});
