import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openFaultyProxy } from '#test/client/faulty-proxy.ts';
import { runCommandHere } from '#test/command-here.ts';
import { baseEnvironment } from '#testbed/service/environment.ts';
import { wav } from '#testbed/clients/requests.ts';
import { scoreWell } from '#test/http/score-well.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { createTestVideos, SUMMARY, TRANSCRIPT } from '#test/http/video-summary.ts';
import { temporaryFolder } from '#testbed/service/service.ts';

const CLI = join(import.meta.dirname, 'main.ts');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: TestServer;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startTestServer({ scorePronunciation: scoreWell, videoSummarizer: createTestVideos() });
});
beforeEach(() => void (server.state.workIsHeld = false));
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

type Environment = Record<string, string>;
const environment = (env: Environment) => ({
  ...baseEnvironment(),
  JYUTSING_URL: server.baseUrl,
  JYUTSING_API_KEY: server.ownerKey,
  TERM: 'xterm',
  ...env,
});
const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
const commandOf = (args: readonly string[]) => [process.execPath, CLI, ...args].map(quote).join(' ');

/** Starts a command in a pseudo-terminal of this width; its standard input is the keyboard. */
function onTerminal(args: readonly string[], env: Environment = {}, columns = 80) {
  const command = `/usr/bin/stty cols ${columns}; exec ${commandOf(args)}`;
  return spawn('/usr/bin/script', ['-qec', command, '/dev/null'], { cwd: folder.path, env: environment(env) });
}

/** Runs a command line of the shell, without a terminal. */
async function inShell(line: string, env: Environment = {}) {
  const child = spawn('bash', ['-c', line], {
    cwd: folder.path,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([readText(child.stdout), readText(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, output, errors };
}

/** Runs a command in this process. */
const here = (args: readonly string[], env: Environment = {}) => runCommandHere(args, environment(env), folder.path);

async function shownOn(child: ChildProcess): Promise<string> {
  const [shown] = await Promise.all([readText(child.stdout!), once(child, 'close')]);
  return shown;
}

const recordsOf = async () => {
  const answer = await fetch(`${server.baseUrl}/api/speech-to-text`, { headers: { 'x-api-key': server.ownerKey } });
  return ((await answer.json()) as { transcriptions: { status: string }[] }).transcriptions;
};
const openRecords = async () => (await recordsOf()).filter(({ status }) => status === 'processing').length;
const newRecording = async (name: string) => writeFile(join(folder.path, name), wav(2));

describe('transcribe on a terminal', () => {
  test('draws a bar for each recording and one for all, none wider than the terminal', async () => {
    for (const name of ['a.wav', 'a recording with quite a long name, longer than a line.wav'])
      await newRecording(name);
    const names = ['a.wav', 'a recording with quite a long name, longer than a line.wav'];
    server.state.workIsHeld = true;
    const child = onTerminal(['transcribe', ...names, '--out', 'texts'], {}, 50);
    let output = '';
    child.stdout.on('data', (bytes) => (output += String(bytes)));
    // A bar that is drawn again begins with a move to the first column, not with a new line.
    const drawn = () => stripVTControlCharacters(output.replaceAll('\u001B[1G', '\n'));
    const ended = once(child, 'close');
    await expect.poll(drawn).toMatch(/^all +[█░]/m);
    await expect.poll(drawn).toMatch(/^a\.wav +[█░]/m);
    server.state.workIsHeld = false;
    await ended;
    expect(
      drawn()
        .split(/[\r\n]+/)
        .filter((line) => line.length >= 50),
    ).toEqual([]);
    expect(child.exitCode).toBe(0);
    expect(await readFile(join(folder.path, 'texts/a.txt'), 'utf8')).toContain('早晨');
  });

  test('Ctrl-C ends the work on the server', async () => {
    server.state.workIsHeld = true;
    await newRecording('long.wav');
    const child = onTerminal(['transcribe', 'long.wav']);
    const shown = shownOn(child);
    await expect.poll(openRecords).toBe(1);
    child.stdin.write('\u0003');
    expect(await shown).toContain('cancelled');
    expect(child.exitCode).toBe(130);
    expect(await openRecords()).toBe(0);
  });
});

test('an interruption while the answer to a submission is awaited leaves no transcription', async () => {
  server.state.workIsHeld = true;
  await newRecording('accepted.wav');
  await using proxy = await openFaultyProxy(server.baseUrl);
  const held = Promise.withResolvers<void>();
  proxy.fail(/POST \/api\/stt/, { heldUntil: held.promise });
  const child = spawn(process.execPath, [CLI, 'transcribe', 'accepted.wav'], {
    cwd: folder.path,
    env: environment({ JYUTSING_URL: proxy.baseUrl }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await expect.poll(openRecords).toBe(1);
  child.kill('SIGINT');
  held.resolve();
  await once(child, 'exit');
  expect(child.exitCode).toBe(130);
  expect(await openRecords()).toBe(0);
});

describe('score', () => {
  test('draws tone contours beside their targets, in colours on a terminal only', async () => {
    await newRecording('me.wav');
    const shown = await shownOn(onTerminal(['score', 'me.wav', '好']));
    expect(shown).toMatch(/\[32m[▁▂▃▄▅▆▇█]{8}.\[39m +[▁▂▃▄▅▆▇█]{8}/);
    expect(await shownOn(onTerminal(['score', 'me.wav', '好'], { NO_COLOR: '1' }))).not.toContain('\u001b[3');
    const { output } = await inShell(commandOf(['score', 'me.wav', '好']));
    expect(output).not.toContain('\u001b');
    expect(output).toMatch(/^94 of 100: passed\n[^]*[▁▂▃▄▅▆▇█]{8} +[▁▂▃▄▅▆▇█]{8}/);
  });
});

describe('speak on a terminal', () => {
  test('plays with the first program that can, and says what to install when there is none', async () => {
    const programs = join(folder.path, 'programs');
    await mkdir(programs);
    await writeFile(join(programs, 'aplay'), `#!/bin/sh\ncat > "${folder.path}/played"\n`);
    await chmod(join(programs, 'aplay'), 0o755);
    const path = `${programs}${delimiter}${process.env['PATH']}`;
    const player = onTerminal(['speak', '早晨'], { PATH: path });
    await shownOn(player);
    expect(player.exitCode).toBe(0);
    // 24,000 Hz, 16 bit, 100 ms for each character.
    expect((await readFile(join(folder.path, 'played'))).length).toBe(2 * 4_800);
    const without = onTerminal(['speak', '早晨'], { PATH: join(folder.path, 'nothing') });
    expect(await shownOn(without)).toMatch(/There is no program that plays sound .*--out\.\r\n$/);
    expect(without.exitCode).toBe(1);
  });
});

test('summarize prints the title and the summary, and the transcript when it is asked for', async () => {
  const { code, output } = await inShell(commandOf(['summarize', 'https://youtu.be/dQw4w9WgXcQ']));
  expect({ code, output }).toEqual({ code: 0, output: `一日遊大嶼山\n\n${SUMMARY}\n` });
  const whole = await here(['summarize', 'dQw4w9WgXcQ', '--transcript', '--language', 'english']);
  expect(whole.output).toBe(`一日遊大嶼山\n\n${TRANSCRIPT}\n\n${SUMMARY}\n`);
  expect(await here(['summarize', 'no link'])).toMatchObject({ code: 1, output: '' });
});

describe('in a pipe', () => {
  test('a reader that stops early is no error', async () => {
    await newRecording('piped.wav');
    const { errors, output } = await inShell(`${commandOf(['voices', 'list'])} | true; echo "\${PIPESTATUS[0]}"`);
    expect({ errors, output }).toEqual({ errors: '', output: '0\n' });
  });

  test('results go to standard output alone', async () => {
    const { output, errors } = await inShell(`${commandOf(['transcribe', '-', '--json'])} < piped.wav`);
    expect(JSON.parse(output)).toEqual({ source: '-', text: expect.stringContaining('早晨') });
    expect(errors).toBe('standard input: done\n');
  });
});

test('--url administers that service: accounts, keys, usage, corpora and voices', async () => {
  const json = async (...args: string[]) => JSON.parse((await here([...args, '--json'])).output);
  const { id } = await json('accounts', 'create', '--name', 'a school', '--plan', 'pro');
  expect(await json('accounts', 'update', 'a school', '--block')).toMatchObject({ id, plan: 'pro', blocked: true });
  const { key } = await json('keys', 'create', id, '--scopes', 'stt');
  expect(await json('keys', 'list', 'a school')).toMatchObject([{ id: key.id, scopes: ['stt'], revoked: false }]);
  expect(await json('keys', 'revoke', key.id)).toEqual({ id: key.id, revoked: true });
  expect(await json('usage', 'a school')).toMatchObject({ account: { id }, plan: 'pro' });
  expect((await json('usage')).account.id).not.toBe(id);
  expect(await json('accounts', 'delete', id, '--yes')).toEqual({ id, deleted: true });

  await writeFile(join(folder.path, 'words.tsv'), '蝦餃\thaa1 gaau2\n燒賣\n');
  const corpus = await json('corpora', 'import', 'words.tsv', '--name', '茶樓');
  expect(corpus).toMatchObject({ name: '茶樓', public: false, version: 1, entries_count: 2 });
  expect(await json('corpora', 'import', 'words.tsv', '--replace', corpus.id)).toMatchObject({ version: 2 });
  expect((await here(['corpora', 'show', corpus.id])).output).toMatch(/\n蝦餃\thaa1 gaau2\n燒賣\n$/);
  expect((await json('corpora', 'list')).map((listed: { id: string }) => listed.id)).toContain(corpus.id);
  expect(await json('corpora', 'delete', corpus.id)).toEqual({ id: corpus.id, deleted: true });

  expect(await json('voices', 'list')).toContainEqual(expect.objectContaining({ voice_id: 'jasmine', public: true }));
  const refused = await here(['voices', 'delete', 'jasmine']);
  expect(refused).toMatchObject({ code: 1, errors: 'This voice is public and cannot be deleted.\n' });
});

const COMMANDS = [['usage'], ['voices', 'list'], ['summarize', 'dQw4w9WgXcQ']];

test.each<[string, Record<string, string>, RegExp, string[][]?]>([
  ['a wrong key', { JYUTSING_API_KEY: 'jyut_wrong' }, /^This API key is unknown or was revoked\.\n$/],
  ['no key', { JYUTSING_API_KEY: '' }, /^The service wants an API key: pass --key, or set JYUTSING_API_KEY\.\n$/],
  [
    'no server',
    { JYUTSING_URL: 'http://127.0.0.1:9' },
    /^The server at http:\/\/127\.0\.0\.1:9 cannot be reached\.\n$/,
  ],
  [
    'an unknown host',
    { JYUTSING_URL: 'http://jyutsing.invalid' },
    /^The server at http:\/\/jyutsing\.invalid cannot be reached\.\n$/,
    // Each command tries for seconds; what differs between commands is seen without a server.
    [['usage']],
  ],
])('%s is one sentence, and status 1', async (_, env, sentence, commands = COMMANDS) => {
  for (const args of commands) {
    const { code, output, errors } = await here(args, env);
    expect([args, code, output, errors]).toEqual([args, 1, '', expect.stringMatching(sentence)]);
  }
});
