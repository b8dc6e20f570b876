import { cachedDataVersionTag } from 'node:v8';
import { expect, it } from 'vitest';
import { collectGarbage } from '@jyutsing/system/collect-garbage';

it('leaves modules valid that V8 compiled before', () => {
  const before = cachedDataVersionTag();
  collectGarbage();
  expect(cachedDataVersionTag()).toBe(before);
});
