import { createServer, type AddressInfo } from 'node:net';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig, type Config } from '#server/config/config.ts';
import { describeStartFailure } from '#server/process/start-failure.ts';
import { startService } from '#server/service.ts';
import { runCommandHere } from '#test/command-here.ts';
import { runFile } from '#test/run-command.ts';
import { temporaryFolder } from '#testbed/service/service.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;
let notDatabase: string;
const taken = createServer();
let takenPort: number;

beforeAll(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'file');
  await writeFile(file, 'not a folder');
  notDatabase = join(folder.path, 'damaged');
  await mkdir(notDatabase);
  await writeFile(join(notDatabase, 'jyutsing.db'), 'this is no database '.repeat(1_000));
  await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
  takenPort = (taken.address() as AddressInfo).port;
});
afterAll(async () => {
  taken.close();
  await folder[Symbol.asyncDispose]();
});

const settings = () => ({ PORT: '0', DATA_DIR: join(folder.path, 'data'), LOG_LEVEL: 'warn' });
const start = (env: Record<string, string>) => runFile('server/main.ts', [], { ...settings(), ...env });

/** The sentence of a start in this process that fails before anything is opened. */
async function startHere(env: Record<string, string>): Promise<string | null> {
  let config: Config | undefined;
  try {
    config = loadConfig({ ...settings(), ...env });
    await startService(config);
  } catch (thrown) {
    return describeStartFailure(thrown, config);
  }
  throw new Error('the service has started');
}

type Case = [name: string, env: () => Record<string, string>, sentence: () => RegExp];

describe('a start that cannot succeed ends with status 1 and one sentence', () => {
  const cases: Case[] = [
    [
      'port in use',
      () => ({ PORT: String(takenPort) }),
      () => /^Port \d+ of 127\.0\.0\.1 is in use by another program/,
    ],
    ['an address of another machine', () => ({ HOST: '192.0.2.1' }), () => /^HOST 192\.0\.2\.1 is not an address of/],
    ['a damaged database', () => ({ DATA_DIR: notDatabase }), () => /^The database in DATA_DIR cannot be opened: /],
    [
      'unreachable DATABASE_URL',
      () => ({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/db' }),
      () => /^DATABASE_URL: the d/,
    ],
    ['an unknown database host', () => ({ DATABASE_URL: 'postgres://db.invalid/x' }), () => /^DATABASE_URL: the datab/],
  ];
  const earlyCases: Case[] = [
    ['DATA_DIR is a file', () => ({ DATA_DIR: file }), () => /^DATA_DIR \S+ cannot be used: a part of the path is not/],
    [
      'DATA_DIR is below a file',
      () => ({ DATA_DIR: join(file, 'x', 'y') }),
      () => /^DATA_DIR \S+ cannot be used: a part/,
    ],
    ['DATA_DIR in a system folder', () => ({ DATA_DIR: '/proc/x/y' }), () => /^DATA_DIR \/proc\/x\/y cannot be used: /],
    ['missing PLANS_FILE', () => ({ PLANS_FILE: '/nowhere' }), () => /^PLANS_FILE \/nowhere cannot be read\.$/],
    ['PLANS_FILE without plans', () => ({ PLANS_FILE: file }), () => /^Plans: the file is not valid JSON\.$/],
    ['a bad address of an outside server', () => ({ LLM_BASE_URL: 'llm' }), () => /^Bad configuration\. LLM_BASE_URL /],
  ];

  it.each(cases)('%s', async (_name, env, sentence) => {
    const { code, output, errors } = await start(env());
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).not.toContain('    at ');
    expect(errors.trimEnd().split('\n')).toEqual([expect.stringMatching(sentence())]);
  });

  it.each(earlyCases)('%s', async (_name, env, sentence) => {
    expect((await startHere(env()))?.split('\n')).toEqual([expect.stringMatching(sentence())]);
  });

  it('DATA_DIR that this user may not write', async () => {
    // Permissions do not stop root, but it cannot make folders in /sys either.
    const closed = process.getuid?.() === 0 ? '/sys/jyutsing' : join(folder.path, 'closed');
    if (closed.startsWith(folder.path)) {
      await mkdir(closed);
      await chmod(closed, 0o500);
    }
    expect(await startHere({ DATA_DIR: closed })).toMatch(/this user may not write there/);
  });
});

it('the command line reports the same failures the same way', async () => {
  for (const env of [{ DATA_DIR: '/proc/x' }, { DATA_DIR: file }, { DATABASE_URL: 'postgres://127.0.0.1:1/db' }]) {
    const { code, output, errors } = await runCommandHere(['accounts', 'list'], env);
    expect({ code, output, lines: errors.trimEnd().split('\n').length }).toEqual({ code: 1, output: '', lines: 1 });
  }
});

it('a misspelt variable, and a class that no model has, are reported at the start', async () => {
  const classes = { QUEUE_CLASS: 'gpuu', QUEUE_CLASS_MODELS: 'gpu=builtin' };
  const { errors } = await start({ STT_ENGNE: 'auto', ...classes, PORT: String(takenPort) });
  expect(errors).toContain('STT_ENGNE is not a variable of jyutsing and is ignored; did you mean STT_ENGINE?');
  expect(errors).toContain('QUEUE_CLASS is gpuu, but no model has this class in QUEUE_CLASS_MODELS, which names gpu:');
});
