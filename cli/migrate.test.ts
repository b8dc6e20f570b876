import { expect, it } from 'vitest';
import { runCommandHere } from '#test/command-here.ts';
import { temporaryFolder } from '#testbed/service/service.ts';
import { describeMoved } from './migrate.ts';

it.each([
  [{ rows: { accounts: 60, jobs_done: 32 }, jobs: 1 }, '92 rows and 1 waiting job'],
  [{ rows: { accounts: 1, transcriptions: 0 }, jobs: 0 }, '1 row and 0 waiting jobs'],
])('what %j moved is said in the singular and the plural', (moved, sentence) => {
  expect(describeMoved(moved)).toBe(sentence);
});

it.each(['postgres', 'postgresql'])('an address that begins with %s:// is accepted', async (protocol) => {
  await using folder = await temporaryFolder();
  const { code, errors } = await runCommandHere(['migrate', '--to', `${protocol}://127.0.0.1:1/x`], {
    DATA_DIR: folder.path,
  });
  // The address is read first: what is missing is the database to move.
  expect([code, errors]).toEqual([1, expect.stringContaining('jyutsing.db')]);
});

it.each(['mysql://localhost/x', 'localhost/x', 'postgres'])(
  '%s is refused with the beginnings that are accepted',
  async (to) => {
    const { code, errors } = await runCommandHere(['migrate', '--to', to]);
    expect([code, errors]).toEqual([2, expect.stringContaining('It must begin with postgres:// or postgresql://.')]);
  },
);
