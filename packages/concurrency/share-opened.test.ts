import { expect, it } from 'vitest';
import { shareOpened } from './share-opened.ts';

/** Notes what is opened and closed. */
function openNoted() {
  const noted: string[] = [];
  const open = shareOpened(async (key) => {
    noted.push(`open ${key}`);
    if (key === 'broken') throw new Error('it is broken');
    return { key, close: async () => void noted.push(`close ${key}`) };
  });
  return { noted, open };
}

it('opens one for all who use it, and closes it with the last', async () => {
  const { noted, open } = openNoted();
  const [first, second] = await Promise.all([open('a'), open('a')]);
  expect((await open('b')).key).toBe('b');
  await first.close();
  await first.close();
  expect(noted).toEqual(['open a', 'open b']);
  await second.close();
  expect(noted).toEqual(['open a', 'open b', 'close a']);
});

it('opens it again after the last user, and after a failure', async () => {
  const { noted, open } = openNoted();
  await (await open('a')).close();
  await (await open('a')).close();
  await expect(Promise.all([open('broken'), open('broken')])).rejects.toThrow('it is broken');
  await expect(open('broken')).rejects.toThrow('it is broken');
  expect(noted).toEqual(['open a', 'close a', 'open a', 'close a', 'open broken', 'open broken']);
});
