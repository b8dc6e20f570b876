import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeFile } from '#testbed/clients/decode-sound.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { durationOf } from '#testbed/sound/espeak-speech.ts';
import { runCommandHere } from '#test/command-here.ts';
import { baseEnvironment } from '#testbed/service/environment.ts';
import { synthesizeSteadily } from '#testbed/clients/pronunciation-scoring.ts';
import { OWNER_KEY, sharedService, temporaryFolder, type SharedService } from '#testbed/service/service.ts';

const CLI = join(import.meta.dirname, 'main.ts');
/** The service has only the built-in recognizer. */
const NOTICE =
  /^This is the built-in recognizer, usable for clear speech; pulled models are far better: run `jyutsing models pull .*\n$/;
const SAMPLE = join(import.meta.dirname, '../docs/samples/meeting.mp3');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: SharedService;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await sharedService();
});
afterAll(() => folder[Symbol.asyncDispose]());

/** Speech that is the same at every call; that of the command `speak` varies. */
const wavOf = async (text: string) => wavBytes(await synthesizeSteadily(service, text));

/** An `input` of null leaves standard input open. */
type Call = { input?: Uint8Array | string | null; env?: Record<string, string> };

const toService = (env: Record<string, string> = {}) => {
  return { JYUTSING_URL: service.baseUrl, JYUTSING_API_KEY: OWNER_KEY, ...env };
};

/** Runs a command on the service in this process. */
const here = (args: string[], { env }: Pick<Call, 'env'> = {}) => runCommandHere(args, toService(env), folder.path);

function start(args: string[], { input, env }: Call = {}) {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: folder.path,
    env: { ...baseEnvironment(), ...toService(env) },
  });
  child.stdin.on('error', () => {});
  if (input !== null) child.stdin.end(input);
  return child;
}

/** The same in a process of its own; its standard output as text and as bytes. */
async function jyutsing(args: string[], call: Call = {}) {
  const child = start(args, call);
  const bytes: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => bytes.push(chunk));
  const [errors, [code]] = await Promise.all([readText(child.stderr), once(child, 'close')]);
  const output = Buffer.concat(bytes);
  return { code: code as number, output: output.toString(), bytes: output, errors };
}

/** The newest transcription on the service. */
async function newestRecord() {
  const answer = await fetch(`${service.baseUrl}/api/speech-to-text?limit=1`, {
    headers: { 'x-api-key': OWNER_KEY },
  });
  const { transcriptions } = (await answer.json()) as { transcriptions: { request_id: string; duration_s: number }[] };
  return transcriptions[0];
}

async function folderOf(name: string): Promise<string> {
  const path = join(folder.path, name);
  await mkdir(path);
  return path;
}

describe('transcribe', () => {
  test('writes subtitles for several recordings, and only for new or changed ones later', async () => {
    const path = await folderOf('several');
    for (const name of ['a.mp3', 'b.mp3']) await copyFile(SAMPLE, join(path, name));
    await writeFile(join(path, 'notes.mp3'), 'this is no recording');
    const files = ['a.mp3', 'b.mp3', 'notes.mp3'].map((name) => join(path, name));
    const out = join(path, 'subtitles');
    const args = ['transcribe', ...files, '--format', 'srt', '--out', out];

    const first = await jyutsing(args);
    expect(first).toMatchObject({ code: 1, output: '' });
    expect(first.errors).toMatch(/a\.mp3: done\n/);
    expect(first.errors).toMatch(/notes\.mp3: .*(audio|format|recording)/);
    expect((await readdir(out)).filter((name) => !name.startsWith('.'))).toEqual(['a.srt', 'b.srt']);
    expect(await readFile(join(out, 'a.srt'), 'utf8')).toMatch(/^1\n00:00:00,\d{3} --> 00:00:0\d,\d{3}\n.*開會/);

    const second = await here(args);
    expect(second.errors).toMatch(/a\.mp3: done before\n/);
    expect(second.errors).toMatch(/b\.mp3: done before\n/);
    expect((await here([...args, '--no-fusion'])).errors).toMatch(/a\.mp3: done\n/);
  });

  test('reads standard input, and prints turns with their times', async () => {
    const { code, output, errors } = await jyutsing(['transcribe', '-', '--diarize'], {
      input: await readFile(SAMPLE),
    });
    expect(errors).toMatch(/^standard input: done\n/);
    expect(errors.replace('standard input: done\n', '')).toMatch(NOTICE);
    expect(output).toMatch(/^\[0:00\] {2}.*開會.*\n$/);
    expect(code).toBe(0);
  });

  test('prints JSON with --json, and names the recordings when there are several', async () => {
    const { output } = await here(['transcribe', SAMPLE, '--json']);
    expect(JSON.parse(output)).toEqual({ source: SAMPLE, text: expect.stringContaining('開會') });
    await copyFile(SAMPLE, join(folder.path, 'other.mp3'));
    const both = await here(['transcribe', SAMPLE, 'other.mp3']);
    expect(both.output).toMatch(/^== \/.*meeting\.mp3\n.*開會.*\n\n== other\.mp3\n.*開會.*\n$/);
  });

  test('writes one file that --out names, in the format of its extension', async () => {
    const path = join(folder.path, 'new', 'x.srt');
    const { code, output, errors } = await here(['transcribe', SAMPLE, '--out', path]);
    expect({ code, output }).toEqual({ code: 0, output: '' });
    expect(errors.split(/(?<=\n)/)).toEqual([`${SAMPLE}: done\n`, expect.stringMatching(NOTICE)]);
    expect(await readFile(path, 'utf8')).toMatch(/^1\n00:00:00,\d{3} --> /);
    expect(await readdir(join(folder.path, 'new'))).toEqual(['x.srt']);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s cancels its work on the server, and deletes its key', async (signal, status) => {
    const long = join(folder.path, 'long.mp3');
    const sample = await readFile(SAMPLE);
    await writeFile(long, Buffer.concat(Array.from({ length: 150 }, () => sample)));
    // The key is that of the owner of the running service.
    const env = { DATA_DIR: service.dataDir, JYUTSING_URL: '', JYUTSING_API_KEY: '' };
    const before = await newestRecord();
    const child = start(['transcribe', long], { env });
    const begun = async () => {
      const newest = await newestRecord();
      return newest?.request_id === before?.request_id ? null : newest;
    };
    await expect.poll(async () => (await begun())?.duration_s).toBeGreaterThan(100);
    // A terminal and the program that started the command may both send it.
    child.kill(signal);
    await sleep(20);
    child.kill(signal);
    const [code] = await once(child, 'exit');
    // The exit code is null when the second signal came while Node ended; shells give the same
    // status then.
    expect(code ?? status).toBe(status);
    expect(await begun()).toBeNull();
    const [account] = JSON.parse((await here(['accounts', 'list', '--json'], { env })).output);
    const keys = JSON.parse((await here(['keys', 'list', account.id, '--json'], { env })).output);
    expect(keys.map(({ name }: { name: string }) => name)).toEqual(['owner']);
  });

  test('a defect, and the next command after one that was killed, delete the key', async () => {
    const env = { DATA_DIR: service.dataDir, JYUTSING_URL: '', JYUTSING_API_KEY: '' };
    const [account] = JSON.parse((await here(['accounts', 'list', '--json'], { env })).output);
    const keys = async () => {
      const listed = JSON.parse((await here(['keys', 'list', account.id, '--json'], { env })).output);
      return listed.map(({ name }: { name: string }) => name);
    };
    const startSpeaking = async () => {
      const defect = "data:text/javascript,process.on('SIGUSR2',()=>{throw(Error('defect'))})";
      const child = start(['transcribe', '-', '--out', 'x.txt'], {
        input: null,
        env: { ...env, NODE_OPTIONS: `--import ${defect}` },
      });
      await expect.poll(keys).toEqual(['owner', expect.stringMatching(/^temporary key of one command \d+$/)]);
      return child;
    };
    const defective = await startSpeaking();
    const errors = readText(defective.stderr);
    defective.kill('SIGUSR2');
    expect(await once(defective, 'close')).toEqual([1, null]);
    expect(await errors).toContain('Error: defect');
    expect(await keys()).toEqual(['owner']);

    const killed = await startSpeaking();
    killed.kill('SIGKILL');
    await once(killed, 'close');
    await here(['speak', '好', '--out', 'x.wav'], { env });
    expect(await keys()).toEqual(['owner']);
    expect((await readdir(env.DATA_DIR)).filter((name) => name.endsWith('.pid'))).toEqual([]);
  });

  test('keys of running commands and of other names stay, however old they are', async () => {
    const { dataDir } = service;
    const env = { DATA_DIR: dataDir, JYUTSING_URL: '', JYUTSING_API_KEY: '' };
    const [account] = JSON.parse((await here(['accounts', 'list', '--json'], { env })).output);
    const keys = async () => {
      const listed = JSON.parse((await here(['keys', 'list', account.id, '--json'], { env })).output);
      return listed.map(({ name }: { name: string }) => name);
    };
    const running = start(['transcribe', '-', '--out', 'x.txt'], { input: null, env });
    const temporary = expect.stringMatching(/^temporary key of one command \d+$/);
    await expect.poll(keys).toEqual(['owner', temporary]);
    await writeFile(join(folder.path, 'other.pid'), '');
    const foreignNames = ['temporary key of one command (for backups)', 'temporary key of one command x/../../other'];
    for (const name of foreignNames)
      expect(await here(['keys', 'create', account.id, '--name', name], { env })).toMatchObject({ code: 0 });
    const database = new Sqlite(join(dataDir, 'jyutsing.db'), { timeout: 5_000 });
    database
      .prepare('update api_keys set created_at_ms = created_at_ms - ? where name <> ?')
      .run(25 * 3_600_000, 'owner');
    database.close();
    await here(['speak', '好', '--out', 'x.wav'], { env });
    const left = await keys();
    expect(left).toHaveLength(4);
    expect(left).toEqual(expect.arrayContaining(['owner', ...foreignNames, temporary]));
    expect(await readdir(folder.path)).toContain('other.pid');
    running.kill('SIGKILL');
    await once(running, 'close');
  });

  test('draws a bar for each recording on a terminal', async () => {
    // `script` gives the command a pseudo-terminal.
    const command = `${process.execPath} ${CLI} transcribe ${SAMPLE}`;
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      env: { ...baseEnvironment(), JYUTSING_URL: service.baseUrl, JYUTSING_API_KEY: OWNER_KEY, TERM: 'xterm' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(await readText(child.stdout)).toMatch(/meeting\.mp3 [█░]{24} done[^]*開會/);
  });
});

describe('speak', () => {
  test('writes a file in the format of its extension', async () => {
    const path = join(folder.path, 'tomorrow.mp3');
    const { code, errors } = await jyutsing(['speak', '聽日見！', '--voice', 'jasmine', '--out', path]);
    expect({ code, errors }).toEqual({ code: 0, errors: `${path}\n` });
    expect(durationOf(await decodeFile(await readFile(path)))).toBeGreaterThan(400);
  });

  test('writes a WAV file to standard output that is no terminal', async () => {
    const { bytes } = await jyutsing(['speak', '-'], { input: '早晨' });
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('RIFF');
    expect(bytes.length).toBeGreaterThan(10_000);
  });

  test('makes numbered files of a long text', async () => {
    const path = join(folder.path, 'story.ogg');
    // Marks count as characters, and are spoken quickly.
    const story = `早晨${'，'.repeat(4_490)}好。\n\n再見，下次再傾。`;
    const { code, errors } = await jyutsing(['speak', '-', '--out', path], { input: story });
    expect(errors.trim().split('\n')).toEqual(['story-1.ogg', 'story-2.ogg'].map((name) => join(folder.path, name)));
    expect(code).toBe(0);
    expect((await stat(join(folder.path, 'story-1.ogg'))).size).toBeGreaterThan(5_000);
  });

  test('refuses a text without content', async () => {
    expect(await here(['speak', '  '])).toMatchObject({ code: 2, errors: 'error: there is no text to speak\n' });
  });
});

test('score shows each syllable with its tone beside the target', async () => {
  const path = join(folder.path, 'said.wav');
  await writeFile(path, await wavOf('香港'));
  const { code, output } = await here(['score', path, '香港']);
  expect(code).toBe(0);
  expect(output).toMatch(
    /^\d+ of 100: passed\n\n.*expected +heard +score +tone +target +wrong\n香 +hoeng1 .*\n港 +gong2 /,
  );
  expect(JSON.parse((await here(['score', path, '香港', '--json'])).output)).toMatchObject({ passed: true });
});

test('listen prints the captions of a WAV stream', async () => {
  const input = await wavOf('聽日朝早喺中環開會。');
  const listened = await jyutsing(['listen', '-', '--language', 'cantonese'], { input });
  expect(listened).toMatchObject({ code: 0, output: expect.stringMatching(/開會。\n/) });
  expect(listened.errors).toMatch(NOTICE);
  expect((await here(['listen', '--help'])).output).toMatch(/auto\s+\(default: "cantonese"\)/);
  const events = (await jyutsing(['listen', '-', '--json', '-l', 'yue'], { input })).output.trim().split('\n');
  expect(events.map((line) => JSON.parse(line).type)).toEqual(expect.arrayContaining(['speech-start', 'text']));
});

describe('a place that cannot be written', () => {
  test.each([
    ['speak', '好', '--out', '/proc/x.mp3'],
    ['speak', '好', '--out', '/proc/new/x.mp3'],
    ['transcribe', SAMPLE, '--out', '/proc/x.srt'],
    ['transcribe', SAMPLE, SAMPLE, '--out', '/proc/new'],
  ])('is refused before the service is asked: %s %s %s %s', async (...args) => {
    const { code, output, errors } = await here([...args, '--url', 'http://127.0.0.1:9']);
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(/^\/proc(?:\/new)? cannot be written: no such file or directory\.\n$/);
  });

  test('is one sentence when it is found at the end', async () => {
    const path = await folderOf('taken');
    await mkdir(join(path, 'meeting.txt'));
    const transcribed = await here(['transcribe', SAMPLE, '--out', path]);
    expect(transcribed).toMatchObject({ code: 1, output: '' });
    const last = transcribed.errors.trim().split('\n').at(-1);
    expect(last).toMatch(/meeting\.mp3: .*meeting\.txt cannot be written: .*directory\.$/);
  });

  test('is refused before any work when it is a folder instead of a file', async () => {
    const path = join(await folderOf('folders'), 'x.mp3');
    await mkdir(path);
    const refused = await here(['speak', '好', '--out', path, '--url', 'http://127.0.0.1:9']);
    expect(refused).toEqual({ code: 1, output: '', errors: `${path} cannot be written: it is a folder.\n` });
  });

  test('is made when it is a folder that is missing', async () => {
    const path = join(folder.path, 'made', 'for', 'x.wav');
    expect(await here(['speak', '好', '--out', path])).toEqual({ code: 0, output: '', errors: `${path}\n` });
    expect((await stat(path)).size).toBeGreaterThan(5_000);
  });
});

test('refusals name options and commands, not fields and paths of requests', async () => {
  const refusals: [args: string[], sentence: RegExp][] = [
    [['transcribe', SAMPLE, '--corpora', 'nope'], /: --corpora names a corpus that does not exist: "nope"\.\n$/],
    [['transcribe', 'http://127.0.0.1/x.mp3'], /: <recordings> must .*\n$/],
    [['speak', '好', '--voice', 'x', '--out', 'x.wav'], /; `jyutsing voices list` lists the voices\.\n$/],
    [['score', SAMPLE, 'We call it bear'], /; use --language english, or a text in Cantonese\..*\n$/],
    [['voices', 'create', SAMPLE, '--name', 'x'], /: add --consent\.\n$/],
  ];
  for (const [args, sentence] of refusals) {
    expect(await here(args)).toEqual({ code: 1, output: '', errors: expect.stringMatching(sentence) });
  }
});

describe('without the service', () => {
  test('a wrong key and a wrong address are one sentence each', async () => {
    const key = await here(['transcribe', SAMPLE], { env: { JYUTSING_API_KEY: 'jyut_wrong' } });
    expect(key).toMatchObject({ code: 1, output: '' });
    expect(key.errors).toMatch(/^.*meeting\.mp3: .*key.*\n$/);
    const url = await here(['speak', '好', '--out', 'x.wav', '--url', 'http://127.0.0.1:9']);
    expect(url.code).toBe(1);
    expect(url.errors.trim().split('\n')).toHaveLength(1);
  });

  test('a forgotten key and an unknown model are named', async () => {
    const env = { JYUTSING_API_KEY: '' };
    const { code, errors } = await here(['transcribe', SAMPLE], { env });
    expect(code).toBe(1);
    expect(errors).toMatch(/meeting\.mp3: The service wants an API key: pass --key, or set JYUTSING_API_KEY\.\n$/);
    for (const args of [
      ['transcribe', SAMPLE],
      ['speak', '好', '--out', 'x.wav'],
    ]) {
      const refused = await here([...args, '--model', 'sensvoice']);
      expect(refused).toMatchObject({ code: 1, output: '' });
      expect(refused.errors).toMatch(/^The service has no \w+ "sensvoice" that can be used now; it has [\w-]+.*\.\n$/);
    }
  });

  test('listen refuses a compressed file as wrong use', async () => {
    const { code, output, errors } = await jyutsing(['listen', '-'], { input: await readFile(SAMPLE) });
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toMatch(/^error: Standard input is MP3, .*: ffmpeg -i FILE -f wav - \| jyutsing listen -\n$/);
  });

  test('a command starts one of its own, ends it, and leaves no valid key behind', async () => {
    const env = { DATA_DIR: join(folder.path, 'fresh'), JYUTSING_URL: '', JYUTSING_API_KEY: '', PORT: '9' };
    const { code, output, errors } = await jyutsing(['transcribe', SAMPLE], { env });
    expect(output).toContain('開會');
    expect(code).toBe(0);
    // The owner's key is shown only this once.
    expect(errors).toMatch(/^Starting the service for this command[^]*API key of the owner[^]*: jyut_/);
    // The service ends with the command, so its console cannot be opened.
    expect(errors).not.toContain('/console/');
    const [account] = JSON.parse((await here(['accounts', 'list', '--json'], { env })).output);
    const keys = JSON.parse((await here(['keys', 'list', account.id, '--json'], { env })).output);
    expect(keys.map(({ name }: { name: string }) => name)).toEqual(['owner']);
  });
});
