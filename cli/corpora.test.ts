import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommandHere } from '#test/command-here.ts';

let dataDir: string;
let account: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-cli-'));
  account = (await asJson('accounts', 'create', '--name', '陳大文', '--plan', 'starter')).id;
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Runs the command with a separate database. */
const jyutsing = (...args: string[]) => runCommandHere(args, { DATA_DIR: dataDir });
const asJson = async (...args: string[]) => JSON.parse((await jyutsing('--json', ...args)).output);
const newFile = async (content: string) => {
  const path = join(dataDir, `${crypto.randomUUID()}.txt`);
  await writeFile(path, content);
  return path;
};

test('a file can be imported as a corpus, shown, replaced and deleted', async () => {
  const file = await newFile('蝦餃\thaa1 gaau2\n燒賣\t\t2\n');
  const made = await asJson('corpora', 'import', file, '--account', account, '--name', '茶樓');
  expect(made).toMatchObject({ name: '茶樓', language: 'cantonese', public: false, version: 1, entries_count: 2 });
  const shown = (await jyutsing('corpora', 'show', made.id, '--account', account)).output;
  expect(shown).toMatch(/^# name: 茶樓\n[^]*\ntext\tjyutping\tweight\n蝦餃\thaa1 gaau2\n燒賣\t\t2\n$/);
  const listed = (await jyutsing('corpora', 'list', '--account', account)).output;
  expect(listed).toMatch(new RegExp(`\n${made.id} +茶樓 +cantonese +no +1 +2\n$`));
  expect((await jyutsing('corpora', 'list')).output).toBe(listed);
  const { id: other } = await asJson('accounts', 'create', '--name', 'other');
  expect((await jyutsing('corpora', 'list', '--account', other)).output).not.toContain(made.id);

  const accountFlags = ['--account', account];
  const changed = await asJson('corpora', 'import', await newFile(shown), ...accountFlags, '--replace', made.id);
  expect(changed).toEqual({ ...made, version: 2 });
  expect((await jyutsing('corpora', 'delete', made.id, ...accountFlags)).output).toBe(`Deleted ${made.id}.\n`);
  expect((await jyutsing('corpora', 'show', made.id, ...accountFlags)).errors).toBe(
    'There is no corpus with this id.\n',
  );
});

test('the public corpora are listed without an account', async () => {
  const all: { public: boolean; entries_count: number }[] = await asJson('corpora', 'list');
  expect(all.length).toBeGreaterThan(5);
  expect(all.every((corpus) => corpus.public && corpus.entries_count > 0)).toBe(true);
});

test('a failed command prints one sentence and exits with 1', async () => {
  const file = await newFile('蝦餃\thaa1');
  const good = await newFile('蝦餃');
  const accountFlags = ['--account', account];
  const failures: [args: string[], message: RegExp][] = [
    [['import', file, ...accountFlags, '--name', 'x'], /^[^\n]*line 1: [^\n]*\n$/],
    [
      ['import', join(dataDir, 'nowhere'), ...accountFlags, '--name', 'x'],
      /^\/.*\/nowhere cannot be read: no such file [^\n]*\n$/,
    ],
    [['import', dataDir, ...accountFlags, '--name', 'x'], /^\/[^\n]* cannot be read: [^\n]* directory\.\n$/],
    [['import', good, '--account', 'nobody', '--name', 'x'], /^There is no account with this id or name\.\n$/],
    [['delete', 'food', ...accountFlags], /^This corpus is public and cannot be changed[^\n]*\n$/],
    [['delete', crypto.randomUUID(), ...accountFlags], /^There is no corpus with this id\.\n$/],
  ];
  for (const [args, message] of failures) {
    const { code, output, errors } = await jyutsing('corpora', ...args);
    expect({ args, code, output, errors }).toEqual({
      args,
      code: 1,
      output: '',
      errors: expect.stringMatching(message),
    });
  }
});

test('a new corpus without a name is wrong use, with status 2', async () => {
  const outcome = await jyutsing('corpora', 'import', await newFile('蝦餃'), '--account', account);
  expect(outcome).toEqual({ code: 2, output: '', errors: 'A new corpus needs a name: add --name.\n' });
});

test('an import says which words hardly help transcripts', async () => {
  const file = await newFile(['蝦餃\thaa1 gaau2', '香港\thoeng1 gong3', ...'甲乙丙丁戊'].join('\n'));
  const { code, errors } = await jyutsing('corpora', 'import', file, '--account', account, '--name', 'x');
  expect([code, errors.split('\n').slice(0, 2), errors.trim().split('\n').at(-1)]).toEqual([
    0,
    ['Words that hardly help transcripts: 6.', '  香港: 港 is read gong2; as gong3 it is rarely found in speech.'],
    '  and 1 more',
  ]);
});
