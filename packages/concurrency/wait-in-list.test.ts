import { expect, it } from 'vitest';
import { waitInList, type Waiting } from './wait-in-list.ts';

type Entry = Waiting & { name: string };

it('an entry waits with its details until it is started', async () => {
  const list: Entry[] = [];
  const ended: string[] = [];
  const signal = new AbortController().signal;
  const waits = ['a', 'b'].map((name) => waitInList(list, { name }, signal).then(() => ended.push(name)));
  expect(list.map(({ name }) => name)).toEqual(['a', 'b']);
  list.pop()!.start();
  await waits[1];
  expect(ended).toEqual(['b']);
  list.pop()!.start();
  await waits[0];
});

it('an aborted entry leaves the list with the reason, and the others stay', async () => {
  const list: Entry[] = [];
  const request = new AbortController();
  const aborted = waitInList(list, { name: 'a' }, request.signal);
  const other = waitInList(list, { name: 'b' }, new AbortController().signal);
  request.abort(new Error('gone'));
  await expect(aborted).rejects.toThrow('gone');
  expect(list.map(({ name }) => name)).toEqual(['b']);
  list.pop()!.start();
  await other;
});

it('an entry that was started and then aborted counts as started: nothing is lost twice', async () => {
  const list: Entry[] = [];
  const request = new AbortController();
  const wait = waitInList(list, { name: 'a' }, request.signal);
  void waitInList(list, { name: 'b' }, new AbortController().signal);
  list.shift()!.start();
  request.abort(new Error('too late'));
  await expect(wait).resolves.toBeUndefined();
  expect(list.map(({ name }) => name)).toEqual(['b']);
});
