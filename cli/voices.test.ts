import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silence, writeSound, type Sound } from '#testbed/sound/audio.ts';
import { runCommandHere } from '#test/command-here.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';

const VOICE = 'yue-latn-jyutping';

let dataDir: string;
let account: string;
let speech: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'jyutsing-cli-'));
  account = (await asJson('accounts', 'create', '--name', '陳大文', '--plan', 'starter')).id;
  speech = join(dataDir, 'speech.mp3');
  await writeSound(speech, await speak(toJyutping('今日天氣好好，我哋一齊去公園行下，好唔好呀？')), 'mp3');
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Runs the command with a separate database. */
const jyutsing = (...args: string[]) => runCommandHere(args, { DATA_DIR: dataDir });
const asJson = async (...args: string[]) => JSON.parse((await jyutsing('--json', ...args)).output);

test('a recording can be turned into a voice of an account, listed and deleted', async () => {
  const accountFlags = ['--account', account];
  const made = await asJson(
    'voices',
    'create',
    speech,
    ...accountFlags,
    '--name',
    '小明',
    '--consent',
    '--gender',
    'male',
  );
  expect(made).toEqual({
    voice_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: '小明',
    language: 'cantonese',
    gender: 'male',
    public: false,
  });
  const listed = (await jyutsing('voices', 'list', ...accountFlags)).output;
  expect(listed).toMatch(new RegExp(`\n${made.voice_id} +小明 +cantonese +male +no\n$`));
  expect((await jyutsing('voices', 'list')).output).toBe(listed);
  const { id: other } = await asJson('accounts', 'create', '--name', 'other');
  expect((await jyutsing('voices', 'list', '--account', other)).output).not.toContain(made.voice_id);
  expect((await jyutsing('voices', 'delete', made.voice_id, ...accountFlags)).output).toBe(
    `Deleted ${made.voice_id}.\n`,
  );
  expect((await jyutsing('voices', 'delete', made.voice_id, ...accountFlags)).code).toBe(1);
});

test('without --account a voice is made for the owner, and deleted', async () => {
  const made = await asJson('voices', 'create', speech, '--name', '小明', '--consent');
  expect((await jyutsing('voices', 'list', '--account', account)).output).toContain(made.voice_id);
  expect((await jyutsing('voices', 'delete', made.voice_id)).output).toBe(`Deleted ${made.voice_id}.\n`);
});

test('the public voices are listed without an account', async () => {
  const all: { public: boolean }[] = await asJson('voices', 'list');
  expect(all).toHaveLength(7);
  expect(all.every((voice) => voice.public)).toBe(true);
});

/** A sentence by a woman, then one by a man. */
async function spokenByTwo(): Promise<Sound> {
  const woman = await speak(toJyutping('今日天氣好好，我哋一齊去公園行下，好唔好呀？'), {
    voice: `${VOICE}+f3`,
    pitch: 75,
  });
  const man = await speak(toJyutping('聽日可能會落雨，記得帶遮出門口，唔好唔記得。'), {
    voice: `${VOICE}+m7`,
    pitch: 20,
  });
  return joinSounds([woman, man], 300);
}

test('a failed command prints one sentence and exits with 1', async () => {
  const voiceFlags = ['--account', account, '--name', 'x'];
  const text = join(dataDir, 'text.wav');
  await writeFile(text, 'no sound');
  const quiet = join(dataDir, 'quiet.wav');
  await writeSound(quiet, silence(6_000), 'wav');
  const twoPeople = join(dataDir, 'two-people.wav');
  await writeSound(twoPeople, await spokenByTwo(), 'wav');
  const failures: [args: string[], message: RegExp][] = [
    [['create', speech, ...voiceFlags], /^A voice needs the consent of its speaker: add --consent\.\n$/],
    [
      ['create', join(dataDir, 'nofile'), ...voiceFlags, '--consent'],
      /^\/.*\/nofile cannot be read: no such file [^\n]*\n$/,
    ],
    [['create', text, ...voiceFlags, '--consent'], /^The file is not audio[^\n]*\n$/],
    [['create', quiet, ...voiceFlags, '--consent'], /^[^\n]{20,}\n$/],
    [['create', twoPeople, ...voiceFlags, '--consent'], /^More than one voice was found in the sample[^\n]*\n$/],
    [
      ['create', speech, '--account', 'nobody', '--name', 'x', '--consent'],
      /^There is no account with this id or name\.\n$/,
    ],
    [['delete', 'jasmine', '--account', account], /^This voice is public and cannot be deleted\.\n$/],
    [['delete', crypto.randomUUID(), '--account', account], /^There is no voice with this id[^\n]*\n$/],
  ];
  for (const [args, message] of failures) {
    const { code, output, errors } = await jyutsing('voices', ...args);
    expect({ args, code, output, errors }).toEqual({
      args,
      code: 1,
      output: '',
      errors: expect.stringMatching(message),
    });
  }
  expect((await asJson('voices', 'list', '--account', account)).length).toBe(7);
});
