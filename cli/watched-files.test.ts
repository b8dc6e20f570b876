import { expect, test } from 'vitest';
import { WatchedFiles } from './watched-files.ts';

const at = (states: Record<string, string>) => new Map(Object.entries(states));

test('a file is worked on when it no longer grows, and again when it has changed', () => {
  const files = new WatchedFiles();
  expect(files.due(at({ a: '1' }), false)).toEqual([]);
  expect(files.due(at({ a: '2' }), false)).toEqual([]);
  expect(files.due(at({ a: '2', b: '1' }), false)).toEqual(['a']);
  files.end('a');
  expect(files.due(at({ a: '2', b: '1' }), false)).toEqual(['b']);
  expect(files.due(at({ a: '3' }), false)).toEqual([]);
  expect(files.due(at({ a: '3' }), false)).toEqual(['a']);
  expect(new WatchedFiles().due(at({ a: '1' }), true)).toEqual(['a']);
});

test('a file that could not be worked on is tried again, ever less often', () => {
  const files = new WatchedFiles();
  const tries: number[] = [];
  for (let look = 0; look < 200; look += 1) {
    if (files.due(at({ a: '1' }), false).length === 0) continue;
    tries.push(look);
    files.tryLater('a');
  }
  expect(tries).toEqual([1, 3, 7, 15, 31, 63, 127, 191]);
  // A change is no repetition.
  files.due(at({ a: '2' }), false);
  expect(files.due(at({ a: '2' }), false)).toEqual(['a']);
});
