import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommandHere } from '#test/command-here.ts';
import { runFile } from '#test/run-command.ts';
import { noteMove } from '#server/store/moved-database.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-cli-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Runs the command with a separate database. */
const jyutsing = (args: string[], env: Record<string, string> = {}) =>
  runCommandHere(args, { DATA_DIR: dataDir, ...env });
/** The same in a process of its own. */
const inProcess = (args: string[]) => runFile('cli/main.ts', args, { DATA_DIR: dataDir });
const asJson = async (args: string[]) => JSON.parse((await jyutsing(['--json', ...args])).output);

test('an account can be created, listed, changed, given a key, and its usage shown', async () => {
  const { id } = await asJson(['accounts', 'create', '--name', '陳大文', '--plan', 'starter']);
  expect((await jyutsing(['accounts', 'list'])).output).toMatch(
    new RegExp(`^id +name +plan +blocked +created\n${id}  陳大文  starter  no       \\d{4}-`),
  );
  expect(await asJson(['accounts', 'update', id, '--block', '--plan', 'pro'])).toMatchObject({
    plan: 'pro',
    blocked: true,
  });
  expect(await asJson(['accounts', 'update', id, '--unblock'])).toMatchObject({ plan: 'pro', blocked: false });

  const made = await asJson(['keys', 'create', id, '--scopes', 'stt,admin']);
  expect(made).toMatchObject({
    api_key: expect.stringMatching(/^jyut_/),
    key: { scopes: ['stt', 'admin'], revoked: false },
  });
  const listed = (await jyutsing(['keys', 'list', id])).output;
  expect(listed).toContain('stt,admin');
  expect(listed).not.toContain(made.api_key);
  expect(await jyutsing(['keys', 'revoke', made.key.id])).toMatchObject({ output: '' });
  const owner = await asJson(['accounts', 'create', '--name', 'owner']);
  await asJson(['keys', 'create', owner.id, '--scopes', 'admin']);
  expect((await jyutsing(['keys', 'revoke', made.key.id])).output).toBe(`Revoked ${made.key.id}.\n`);
  expect(await asJson(['keys', 'list', id])).toMatchObject([{ revoked: true }]);

  expect((await jyutsing(['usage', id])).output).toMatch(
    /plan pro, \d{4}-\d\d-\d\d until \d{4}-\d\d-\d\d\n[^]*video_summaries +0 +400 +400/,
  );
});

test.each([
  [
    ['accounts', 'create', '--name', 'x', '--plan', 'gold'],
    /There is no such plan; the plans are free, starter, pro\./,
  ],
  [['accounts', 'update', 'nobody', '--block'], /There is no account with this id or name\./],
  [['keys', 'create', crypto.randomUUID()], /There is no account with this id or name\./],
  [['keys', 'revoke', '../x'], /There is no API key with this id\./],
])('%j prints the problem and exits with 1', async (args, message) => {
  const { code, output, errors } = await jyutsing(args);
  expect(code).toBe(1);
  expect(output).toBe('');
  expect(errors).toMatch(message);
  expect(errors).not.toContain('    at ');
});

test.each([
  [['accounts', 'create'], /required option '--name <name>'/],
  [['accounts', 'update', 'x', '--block', '--unblock'], /^Use --block or --unblock, not both\.\n$/],
  [['keys', 'create', 'x', '--scopes', 'root'], /The scopes are stt, tts/],
  [['acounts', 'list'], /Did you mean accounts/],
  [['accounts', 'lst'], /Did you mean list/],
  [['accounts'], /^Usage: jyutsing accounts /],
  [[], /^Usage: jyutsing /],
  [['--url', '127.0.0.1:8080', 'usage'], /^error: the address of a service begins with http:\/\/ or https:\/\/, not/],
  [['--url', '127.0.0.1:8080', 'speak', '好'], /^error: the address of a service begins with http:\/\//],
  [['--url', 'http://127.0.0.1:9', 'models', 'list'], /^error: `models` is about this machine and takes no --url\n$/],
  [['--url', 'http://127.0.0.1:9', 'engines'], /^error: `engines` is about this machine/],
  [['--key', 'x', 'doctor'], /^error: `doctor` is about this machine and takes no --key\n$/],
  [['--key', 'wrong', 'voices', 'list'], /^error: --key needs --url: /],
  [
    ['transcribe', 'a.mp3', '-l', 'klingon'],
    /argument 'klingon' is invalid\. It must be cantonese, .* or auto, or a code/,
  ],
  [['transcribe', 'a.mp3', '--speakers', '99'], /It must be a whole number from 1 to 60\.\n$/],
  [['transcribe', 'a.mp3', '-d', '--diarization-threshold', '0'], /It must be a number above 0 and at most 2\.\n$/],
  [['listen', '-', '-l', 'klingon'], /It must be cantonese, mandarin, english, /],
  [['listen', '-', '--rate', '96001'], /It must be a whole number from 8000 to 96000\.\n$/],
  [
    ['speak', '好', '-l', 'french'],
    /argument 'french' is invalid\. It must be cantonese, mandarin or english, or a code/,
  ],
  [['speak', '好', '-l', 'auto'], /It must be cantonese, mandarin or english, or a code/],
  [
    ['speak', '好', '--speed', '9', '--out', 'x.wav'],
    /argument '9' is invalid\. It must be a number from 0\.5 to 3\.\n$/,
  ],
  [['speak', '好', '--pitch', 'high', '--out', 'x.wav'], /It must be a number from -12 to 12\.\n$/],
  [
    ['speak', '好', '--out', 't.aiff'],
    /argument 't\.aiff' is invalid\. It must end in \.wav, \.mp3, \.ogg or \.flac\.\n$/,
  ],
  [['speak', ' '], /^error: there is no text to speak\n$/],
  [['score', 'a.wav', ' '], /^error: there is no text to score\n$/],
  [['score', 'a.wav', '好', '-l', 'auto'], /It must be cantonese, mandarin or english, /],
  [['summarize', 'x', '-l', 'french'], /It must be cantonese, mandarin, english, japanese or korean\.\n$/],
  [
    ['voices', 'create', 'a.wav', '--name', 'x', '--language', 'klingon'],
    /It must be cantonese, mandarin or english, /,
  ],
  [['voices', 'create', 'a.wav', '--name', 'x', '--gender', 'old'], /Allowed choices are female, male, neutral\.\n$/],
  [
    ['corpora', 'import', 'a.tsv', '--name', 'x', '--language', 'klingon'],
    /It must be cantonese, mandarin or english, /,
  ],
  [['listen', 'talk.mp3'], /^error: .*: ffmpeg -i talk\.mp3 -f wav - \| jyutsing listen -\n$/],
  [['transcribe', 'a.mp3', 'b.mp3', '--out', 'x.srt'], /^error: x\.srt is one file; /],
  [['transcribe', 'a.mp3', '--format', 'vtt', '--out', 'x.srt'], /^error: x\.srt does not end in \.vtt\n$/],
])('%j is wrong use: the problem is printed, with status 2', async (args, message) => {
  const { code, output, errors } = await jyutsing(args);
  expect({ code, output }).toEqual({ code: 2, output: '' });
  expect(errors).toMatch(message);
});

test('an account is found by its name and by the beginning of its id, unless several fit', async () => {
  const { id } = await asJson(['accounts', 'create', '--name', 'Alice']);
  for (const idOrName of ['Alice', id.slice(0, 8), id.toUpperCase()]) {
    expect(await asJson(['keys', 'list', idOrName])).toEqual([]);
    expect(await asJson(['usage', idOrName])).toMatchObject({ account: { id } });
    expect(await asJson(['accounts', 'update', idOrName, '--plan', 'starter'])).toMatchObject({ id, plan: 'starter' });
    expect(await asJson(['corpora', 'list', '--account', idOrName])).not.toEqual([]);
  }
  const { id: other } = await asJson(['accounts', 'create', '--name', 'Alice']);
  const { code, errors } = await jyutsing(['usage', 'Alice']);
  expect({ code, errors }).toEqual({ code: 1, errors: `Several accounts fit "Alice": ${id}, ${other}.\n` });
  expect((await jyutsing(['usage', id.slice(0, 3)])).errors).toBe('There is no account with this id or name.\n');
});

test('an account is deleted after a confirmation or with --yes', async () => {
  const { id } = await asJson(['accounts', 'create', '--name', 'Bob']);
  expect(await jyutsing(['accounts', 'delete', 'Bob'])).toEqual({
    code: 1,
    output: '',
    errors: 'Nothing was deleted: add --yes to delete without asking.\n',
  });
  expect((await jyutsing(['accounts', 'delete', 'Bob', '--yes'])).output).toBe(`Deleted ${id}.\n`);
  expect((await jyutsing(['usage', 'Bob'])).errors).toBe('There is no account with this id or name.\n');
});

test('only the creation of an account makes a database, and the path is shown', async () => {
  const folder = join(dataDir, 'wrong', 'folder');
  const path = join(folder, 'jyutsing.db');
  const reading = [
    ['accounts', 'list'],
    ['keys', 'list', 'x'],
    ['usage', 'x'],
    ['corpora', 'list'],
    ['voices', 'list'],
  ];
  for (const args of reading) {
    expect(await jyutsing(args, { DATA_DIR: folder })).toEqual({
      code: 1,
      output: '',
      errors: `This command reads the database of a service, and there is none at ${path}; set DATA_DIR to the folder of the service, or start the service once.\n`,
    });
  }
  expect(existsSync(folder)).toBe(false);
  const { code, errors } = await jyutsing(['accounts', 'create', '--name', 'x'], { DATA_DIR: folder });
  expect({ code, errors }).toEqual({ code: 0, errors: `Created a new database at ${path}.\n` });
});

test('a database that was moved to PostgreSQL is refused, with the way back', async () => {
  const folder = join(dataDir, 'moved');
  await jyutsing(['accounts', 'create', '--name', 'x'], { DATA_DIR: folder });
  await noteMove(folder, 'done');
  const path = join(folder, 'jyutsing.db.moved');
  for (const args of [
    ['accounts', 'list'],
    ['voices', 'list'],
    ['speak', '好', '--out', join(dataDir, 'x.wav')],
  ]) {
    expect(await jyutsing(args, { DATA_DIR: folder })).toEqual({
      code: 1,
      output: '',
      errors: `The database in DATA_DIR was moved to PostgreSQL: set DATABASE_URL, or delete ${path} to go on with the state before the move.\n`,
    });
  }
  await rm(path);
  expect((await jyutsing(['accounts', 'list'], { DATA_DIR: folder })).code).toBe(0);
});

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../package.json'), 'utf8'));
  expect(await inProcess(['--version'])).toEqual({ code: 0, output: `${version}\n`, errors: '' });
});

test.each([
  [1, ['keys', 'revoke', '../x']],
  [2, ['acounts', 'list']],
])('a process ends with the status %i of its command, and prints the same', async (status, args) => {
  const ended = await inProcess(args);
  expect(ended).toEqual(await jyutsing(args));
  expect(ended).toMatchObject({ code: status, errors: expect.stringMatching(/./) });
});

test('an invalid variable or plans file is named in the message', async () => {
  expect((await jyutsing(['accounts', 'list'], { PORT: 'x' })).errors).toContain('PORT');
  expect((await jyutsing(['accounts', 'list'], { PLANS_FILE: '/nowhere' })).errors).toBe(
    'PLANS_FILE /nowhere cannot be read.\n',
  );
  const path = join(dataDir, 'plans.json');
  await writeFile(path, '{"team": {"quotas": {}}}');
  expect((await jyutsing(['accounts', 'list'], { PLANS_FILE: path })).errors).toMatch(/^Plans: team\.quotas/);
});

test('models list says nothing of a download that failed at once', async () => {
  const modelsDir = join(dataDir, 'models');
  await mkdir(join(modelsDir, '.downloads'), { recursive: true });
  await writeFile(join(modelsDir, '.downloads', 'sense-voice-2024.part'), '');
  const { output } = await jyutsing(['models', 'list'], { MODELS_DIR: modelsDir });
  expect(output).toMatch(/^sense-voice-2024 .* no; recommended /m);
});

test('engines lists the models of this server with their state', async () => {
  const { code, output } = await jyutsing(['engines']);
  expect({ code, firstLine: output.split('\n')[0] }).toEqual({
    code: 0,
    firstLine: expect.stringMatching(/^model +engine +ability +version +languages +state$/),
  });
  expect(output).toMatch(/summarizer +openai-compatible +LLM_BASE_URL is not set\nsummarizer +builtin +available/);
});
