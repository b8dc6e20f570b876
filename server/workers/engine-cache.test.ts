import { expect, it } from 'vitest';
import type { ModelRef } from '@jyutsing/contracts/abilities';
import { createEngineCache, type EngineCache } from './engine-cache.ts';

const registry = () => Promise.reject(new Error('No test asks for the registry.'));

/** Keeps models that note when they are opened and closed. */
function openNotingCache() {
  const notes: string[] = [];
  const open = async ({ model }: ModelRef) => {
    if (model === 'broken') throw new Error('broken');
    notes.push(`open ${model}`);
    return { close: async () => void notes.push(`close ${model}`) };
  };
  return { notes, cache: createEngineCache({ registry, open: open as unknown as EngineCache['open'] }) };
}

const ref = (model: string) =>
  ({ ability: 'recognizer', engine: 'test', model, version: '1' }) as ModelRef<'recognizer'>;

it('two recognizers stay open; the least recently used one is closed for a third', async () => {
  const { notes, cache } = openNotingCache();
  for (const model of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.open(ref(model));
  expect(notes).toEqual(['open a', 'open b', 'open c', 'close b', 'open b', 'close c']);
});

it('a held model stays open until its last holder is disposed of', async () => {
  const { notes, cache } = openNotingCache();
  const one = cache.hold();
  const two = cache.hold();
  for (const holder of [one, two, one]) await holder.open(ref('held'));
  for (const model of ['a', 'b', 'c']) await cache.open(ref(model));
  expect(notes).toEqual(['open held', 'open a', 'open b', 'close a', 'open c', 'close b']);
  one[Symbol.dispose]();
  await cache.open(ref('d'));
  expect(notes.slice(6)).toEqual(['open d', 'close c']);
  two[Symbol.dispose]();
  await cache.open(ref('e'));
  expect(notes.slice(8)).toEqual(['open e', 'close held']);
});

it('more models than usual are open while all are held', async () => {
  const { notes, cache } = openNotingCache();
  const holder = cache.hold();
  for (const model of ['a', 'b', 'c']) await holder.open(ref(model));
  expect(notes).toEqual(['open a', 'open b', 'open c']);
  holder[Symbol.dispose]();
  await expect.poll(() => notes.slice(3)).toEqual(['close a']);
});

it('a model that cannot be opened may be tried again and keeps no place', async () => {
  const { notes, cache } = openNotingCache();
  using holder = cache.hold();
  await expect(holder.open(ref('broken'))).rejects.toThrow('broken');
  for (const model of ['a', 'b']) await cache.open(ref(model));
  await expect(cache.open(ref('broken'))).rejects.toThrow('broken');
  expect(notes).toEqual(expect.arrayContaining(['open a', 'open b']));
});

it('a model of another version or ability is another one, and each ability has its own places', async () => {
  const { notes, cache } = openNotingCache();
  const references = [
    ref('a'),
    { ...ref('a'), version: '2' },
    { ...ref('a'), ability: 'synthesizer' },
    { ...ref('b'), ability: 'synthesizer' },
  ] as ModelRef[];
  const opened = await Promise.all(references.map((reference) => cache.open(reference)));
  expect(new Set(opened).size).toBe(4);
  expect(notes).toEqual(['open a', 'open a', 'open a', 'open b']);
});

it('models of other abilities all stay open', async () => {
  const { notes, cache } = openNotingCache();
  for (const model of ['a', 'b', 'c', 'd']) await cache.open({ ...ref(model), ability: 'corrector' } as ModelRef);
  expect(notes).toEqual(['open a', 'open b', 'open c', 'open d']);
});

it('a model that is opened after the end of a hold is not held', async () => {
  const { notes, cache } = openNotingCache();
  const holder = cache.hold();
  holder[Symbol.dispose]();
  await holder.open(ref('a'));
  for (const model of ['b', 'c']) await cache.open(ref(model));
  expect(notes).toEqual(['open a', 'open b', 'open c', 'close a']);
});
