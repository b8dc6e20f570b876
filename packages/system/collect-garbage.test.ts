import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import { expect, it } from 'vitest';
import { collectGarbage } from '@jyutsing/system/collect-garbage';

it('leaves modules valid that V8 compiled before', () => {
  // Another test of this process may have left the flag.
  setFlagsFromString('--no-expose-gc');
  const before = cachedDataVersionTag();
  collectGarbage();
  expect(cachedDataVersionTag()).toBe(before);
});
