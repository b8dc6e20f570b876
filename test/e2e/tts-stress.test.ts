import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inParallel } from '@jyutsing/concurrency/in-parallel';
import { cpuSeconds, descendants, treeRssBytes } from '#testbed/service/process-tree.ts';
import { createAccount, errorOf, mismatches } from '#testbed/service/accounts.ts';
import { noise, silence, wavBytes } from '#testbed/sound/audio.ts';
import { OWNER_KEY, startService, temporaryFolder, type Service } from '#testbed/service/service.ts';
import { jsonRequest, levelOf, decodePcm, STREAM_RATE_HZ } from '#testbed/clients/decode-sound.ts';
import { randomFrom } from '#testbed/clients/mutated-files.ts';
import { durationOf, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';

const MIB = 1_024 ** 2;
/** Bytes read of each text: five thousand digits last an hour. */
const ENOUGH_BYTES = 2 * STREAM_RATE_HZ * 2;
const HANG_MS = 30_000;
/** Eight first requests on a busy machine: the processes start and load their models. */
const LOAD_MS = 110_000;
const WORKERS = 2;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: Service;
let pids: number[];

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService(join(folder.path, 'data'), { LOG_LEVEL: 'debug', WORKERS: String(WORKERS) });
  // Wait until all workers are running and have loaded both languages.
  const first = Array.from({ length: 8 }, (_, i) =>
    synthesize('早晨 good morning', i % 2 === 0 ? 'Chinese' : 'English', AbortSignal.timeout(LOAD_MS)),
  );
  await Promise.all(first);
  pids = descendants(service.process.pid!);
});
afterAll(async () => {
  await service.stop();
  await folder[Symbol.asyncDispose]();
});

/** Uses a connection of its own, closed afterwards. */
const alone = (fields: Record<string, unknown>): RequestInit => ({
  ...jsonRequest(fields),
  headers: { 'content-type': 'application/json', connection: 'close' },
});
const stream = (fields: Record<string, unknown>, signal = AbortSignal.timeout(HANG_MS)) =>
  fetch(`${service.baseUrl}/api/tts-stream`, { ...alone({ voice_id: 'jasmine', ...fields }), signal });

type Synthesized = { status: number; code: string; bytes: Buffer; isWhole: boolean };

/** Synthesizes a text, reading up to `ENOUGH_BYTES`. */
async function synthesize(text: string, language: string, signal?: AbortSignal): Promise<Synthesized> {
  const response = await stream({ text, language }, signal);
  if (response.status !== 200) {
    const [status, code] = await errorOf(response);
    return { status, code, bytes: Buffer.alloc(0), isWhole: true };
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body!) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > ENOUGH_BYTES) return { status: 200, code: 'none', bytes: Buffer.concat(chunks), isWhole: false };
  }
  return { status: 200, code: 'none', bytes: Buffer.concat(chunks), isWhole: true };
}

/** Letters in random order. */
const shuffled = (count: number, from: string) => {
  const letters = Array.from(from);
  return Array.from({ length: count }, (_, i) => letters[(i * 7_919) % letters.length]).join('');
};
const codes = (from: number, to: number) =>
  String.fromCodePoint(...Array.from({ length: to - from }, (_, i) => from + i));

const SPOKEN: Readonly<Record<string, string>> = {
  'a word of 5,000 letters': shuffled(5_000, 'qwertyuiopasdfghjklzxcvbnm'),
  'one letter 5,000 times': 'a'.repeat(5_000),
  'a word of 500 letters': shuffled(500, 'etaoinshrdlu'),
  '5,000 characters without a mark': shuffled(5_000, '我你佢好食飯行街睇戲返工放學天地人'),
  '5,000 digits': shuffled(5_000, '0123456789'),
  '5,000 zeros': '0'.repeat(5_000),
  '1,000 lines': `好${'\n'.repeat(1_000)}好`,
  'a line for each character': '好\n'.repeat(500),
  'every character of ASCII': codes(0, 128),
  'every character of Latin-1': codes(0, 256),
  'full-width text': 'Ｈｅｌｌｏ　Ｗｏｒｌｄ　１２３４５！',
  'nested brackets': `${'('.repeat(500)}好${')'.repeat(500)}${'「『（【《〈'.repeat(100)}好${'〉》】）』」'.repeat(100)}`,
  'control characters': '早\u0000\u0007\u001b[31m晨\u0085\u200b',
  'the other direction': '\u202e早晨\u202c',
  'letters under a heap of marks': 'Z\u0338\u0321\u0322\u031b\u0317a\u0337l\u0334g\u0335o\u0336 '.repeat(50),
  'three thousand accents': `好${'\u0301'.repeat(3_000)}`,
  HTML: '<script>alert(1)</script><b>好</b>&nbsp;&#x597d;',
  'a pause of an hour in SSML': '<speak>早<break time="3600s"/>晨<prosody rate="1%">好</prosody></speak>',
  'a file in SSML': '<audio src="file:///etc/passwd"/> hello',
  "espeak's phonemes": "[[h@l'oU]] hello [[",
  "espeak's commands": '\u0001100S hello \u000150P [[_::_::]]',
  'no jyutping': 'nei55 hou2 xyz9 ngngng6 zzz',
  JSON: '{"text":"好","voice_id":["x"]}',
  'halves of pairs': '\u{d83d}好\u{dc00}',
  'a character after 4,999 emoji': `${'😀'.repeat(4_999)}好`,
  '4,998 spaces': `早${' '.repeat(4_998)}晨`,
  '4,000 commas': `好${'，'.repeat(4_000)}好`,
  '2,500 sentences': 'a.'.repeat(2_500),
  'no dates and no numbers': '2026-99-99 99:99:99 31/31/3131 -0 1e999 0x0 1/0 1,2,3,,,4.5.6.7 ０．０．０',
  'percent signs': `${'%'.repeat(4_999)}1`,
  money: `${'$'.repeat(500)}1,000${'%'.repeat(500)}`,
  'a long address': `https://${'a.'.repeat(1_000)}com/?q=%00%ff`,
  '4,999 signs': `${'-'.repeat(4_999)}1`,
  fractions: '1/'.repeat(2_500),
  times: '1:'.repeat(2_500),
  'Roman numerals': 'MMMMCMXCIX '.repeat(400),
  abbreviations: 'ABCDEFG '.repeat(600),
  apostrophes: "a'".repeat(2_500),
  hyphens: 'a-'.repeat(2_500),
  'rare characters': '𠮷㐀龘䶵'.repeat(20),
  'half a dozen scripts': '早晨 こんにちは 안녕하세요 สวัสดี مرحبا שלום Привет Γειά नमस्ते bonjour',
  ligatures: 'ﬁ ﬂ Ǆ ß İ ı x²⁵ H₂O ½ ①②③ Ⅷ ㈱',
  'one letter': 'a',
  'one digit': '7',
};
const SILENT: Readonly<Record<string, string>> = {
  marks: '……！？。，、；：「」『』',
  dots: '....',
  'exclamation marks': '!!!!!!',
  emoji: '😀👨\u{200d}👩\u{200d}👧🇭🇰👍🏽',
  '5,000 emoji': '😀'.repeat(5_000),
  spaces: ' \n\t\u3000 \r\n',
  'half a pair': '\u{d800}',
  'private letters': '\uf8ff\u{f0000}\u{10fffd}',
  tags: '\u{e0041}\u{e007f}',
  Korean: '안녕하세요',
  Thai: 'สวัสดีครับ',
  Arabic: 'مرحبا بالعالم ٣',
  Hebrew: 'שלום עולם',
  Cyrillic: 'Привет мир',
  braille: '⠓⠑⠇⠇⠕',
};

describe('unusual texts for speech synthesis', () => {
  it('are spoken or refused: no failure, no hang, no dead worker', { timeout: 240_000 }, async () => {
    const cases = ['Chinese', 'English'].flatMap((language) =>
      [...Object.entries(SPOKEN), ...Object.entries(SILENT)].map(([name, text]) => ({ name, text, language })),
    );
    const wrong: unknown[] = [];
    await inParallel(cases, 4, async ({ name, text, language }) => {
      const fault = await synthesize(text, language).then(
        (sound) => faultOf(sound, text, name in SPOKEN),
        (failure: unknown) => `failed: ${String(failure)}`,
      );
      if (fault !== null) wrong.push([name, language, fault]);
    });
    expect(wrong).toEqual([]);
    // Workers for work that is loaded later may have been added.
    expect(descendants(service.process.pid!)).toEqual(expect.arrayContaining(pids));
    // No hidden failure, and no text in the log.
    const lines = service.output().split('\n');
    expect(lines.filter((line) => /"level":[456]0/.test(line))).toEqual([]);
    const parts = [...Object.values(SPOKEN), ...Object.values(SILENT)]
      .map((text) => text.trim())
      .filter((text) => text.length > 4);
    expect(lines.filter((line) => parts.some((part) => line.includes(part)))).toEqual([]);
  });
});

/** Describes what is wrong with synthesized audio; null: nothing. */
function faultOf({ status, code, bytes, isWhole }: Synthesized, text: string, isSpoken: boolean): string | null {
  if (!isSpoken) return status === 400 && code === 'invalid_request' ? null : `was answered with ${status} ${code}`;
  if (status !== 200) return `was refused with ${status} ${code}`;
  if (isWhole && bytes.length % 2 !== 0) return 'has half a sample';
  const sound = decodePcm(bytes.subarray(0, bytes.length & ~1));
  const level = levelOf(sound);
  if (!(level > 0.01 && level < 0.4)) return `has the level ${level}`;
  const durationMs = durationOf(sound);
  if (durationMs < 200) return `lasts ${durationMs} ms`;
  if (isWhole && durationMs > 2_000 + Array.from(text).length * 1_000) return `lasts ${durationMs} ms`;
  // It ends in silence, not within a sound.
  if (isWhole && levelOf(sound, durationMs - 20) > 0.01) return 'breaks off';
  return null;
}

describe('creating a voice', () => {
  it('refuses files that are no recordings of a person and keeps nothing of them', async () => {
    const speech = wavBytes(await speak(toJyutping('今日天氣好好，我哋一齊去公園行下，食埋晚飯先返屋企。')));
    const cases: [string, Uint8Array, number, string][] = [
      ['nothing', new Uint8Array(0), 415, 'unsupported_audio_format'],
      ['a text', Buffer.from('#!/bin/sh\nrm -rf /\n'.repeat(100)), 415, 'unsupported_audio_format'],
      ['a zip', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(5_000)]), 415, 'unsupported_audio_format'],
      ['a playlist', Buffer.from('#EXTM3U\nfile:///etc/passwd\n'), 415, 'unsupported_audio_format'],
      ['a WAV header alone', speech.subarray(0, 44), 422, 'empty_audio'],
      ['half a WAV header', speech.subarray(0, 30), 422, 'corrupt_audio'],
      ['31 seconds', wavBytes(noise(31_000, 0.1)), 422, 'unsuitable_sample'],
      ['one second', wavBytes(noise(1_000, 0.1)), 422, 'unsuitable_sample'],
      ['silence', wavBytes(silence(6_000)), 422, 'unsuitable_sample'],
      ['noise', wavBytes(noise(6_000, 0.1)), 422, 'unsuitable_sample'],
      ['40 MB', Buffer.concat([speech, Buffer.alloc(40_000_000)]), 413, 'payload_too_large'],
    ];
    const make = (sample: Uint8Array, fields: Record<string, string> = {}, file = 'sample.wav') => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ name: '阿明', consent: 'true', ...fields }))
        form.append(name, value);
      form.append('sample', new Blob([new Uint8Array(sample)]), file);
      const headers = { 'x-api-key': OWNER_KEY };
      return fetch(`${service.baseUrl}/api/voices`, { method: 'POST', headers, body: form });
    };
    const wrong = await mismatches(
      cases,
      ([, , status, code]) => [status, code],
      ([, bytes]) => make(bytes),
    );
    expect(wrong).toEqual([]);

    const names: [Record<string, string>, number, string][] = [
      [{ name: '' }, 422, 'invalid_parameter'],
      [{ name: 'a\0b' }, 422, 'invalid_parameter'],
      [{ name: 'x'.repeat(101) }, 422, 'invalid_parameter'],
      [{ consent: 'false' }, 422, 'invalid_parameter'],
      [{ consent: 'maybe' }, 422, 'invalid_parameter'],
      [{ language: 'klingon' }, 422, 'invalid_parameter'],
      [{ language: '__proto__' }, 422, 'invalid_parameter'],
      [{ gender: 'constructor' }, 422, 'invalid_parameter'],
      [{ description: 'x'.repeat(2_001) }, 422, 'invalid_parameter'],
      [{ transcript: '\u{1b}[31m' }, 422, 'invalid_parameter'],
    ];
    const wrongNames = await mismatches(
      names,
      ([, status, code]) => [status, code],
      ([fields]) => make(speech, fields),
    );
    expect(wrongNames).toEqual([]);
    const paths = await mismatches(
      ['../../etc/passwd', 'jasmine\0', '__proto__', 'constructor', 'JASMINE', "' OR 1=1", '\u202ex'],
      () => [404, 'voice_not_found'],
      (id) => fetch(`${service.baseUrl}/api/voices/${encodeURIComponent(id)}`, { headers: { 'x-api-key': OWNER_KEY } }),
    );
    expect(paths).toEqual([]);

    // Names of files and voices are only displayed, never used as paths.
    const name = '../<b>"阿明\u{1f600}';
    const made = await make(speech, { name }, '../../../../tmp/passwd.wav');
    const { voice } = (await made.json()) as { voice: { voice_id: string; name: string } };
    expect([made.status, voice.name]).toEqual([200, name]);
    expect(await errorOf(await stream({ text: '早晨', voice_id: voice.voice_id }))).toEqual([200, 'none']);
    const other = await createAccount(service.baseUrl, 'pro');
    const stolen = await stream({ text: '早晨', voice_id: voice.voice_id, api_key: other.key });
    expect(await errorOf(stolen)).toEqual([404, 'voice_not_found']);
    const list = await fetch(`${service.baseUrl}/api/voices`, { headers: { 'x-api-key': OWNER_KEY } });
    const { voices } = (await list.json()) as { voices: { public: boolean }[] };
    expect(voices.filter((voice) => !voice.public)).toHaveLength(1);
  });
});

const WITHOUT_END = ['5,000 digits', 'one letter 5,000 times', 'percent signs', '2,500 sentences'];

it('clients that stop reading long streams do not block others', async () => {
  const sleeping = await Promise.all(WITHOUT_END.map((name) => stream({ text: SPOKEN[name] })));
  expect(sleeping.map(({ status }) => status)).toEqual(sleeping.map(() => 200));
  // Wait until the server has filled its buffers.
  await sleep(1_500);
  expect(await stream({ text: '早晨' }, AbortSignal.timeout(8_000)).then(errorOf)).toEqual([200, 'none']);
  await Promise.all(sleeping.map(({ body }) => body!.cancel()));
});

describe('sixty-four clients that disconnect at random times', () => {
  it('leave no open files, no work and no memory behind', { timeout: 120_000 }, async () => {
    const pid = service.process.pid!;
    const text = '今日天氣好好，我哋去公園行下啦。The weather is lovely today.'.repeat(5);
    /** Sends requests until the end, when the last one is left too. */
    const streamUntil = async (end: AbortSignal) => {
      while (!end.aborted) {
        const disconnect = new AbortController();
        const [path, body] = pick<[string, Record<string, unknown>]>([
          ['/api/tts-stream', { text, voice_id: 'jasmine' }],
          ['/api/tts', { text, output_extension: 'mp3', speed: 2 }],
          ['/v1/audio/speech', { input: text, voice: 'nova' }],
        ]);
        // Some disconnect before the first sound or while a file is made, others later.
        const bytes = path === '/api/tts' || random() < 0.3 ? 0 : random() * 40_000;
        if (bytes === 0) setTimeout(() => disconnect.abort(), random() * 500);
        try {
          const signal = AbortSignal.any([disconnect.signal, end]);
          const response = await fetch(`${service.baseUrl}${path}`, { ...alone(body), signal });
          let size = 0;
          for await (const chunk of response.body!) if ((size += chunk.length) > bytes) break;
        } catch (failure) {
          if (!disconnect.signal.aborted && !end.aborted) throw failure;
        }
      }
    };
    const connectClients = (durationMs: number) => {
      const end = AbortSignal.timeout(durationMs);
      return Promise.all(Array.from({ length: 64 }, () => streamUntil(end)));
    };
    // Warm up, so that one-time allocations are done.
    await connectClients(600);
    const everyone = descendants(pid);
    const [files, bytes] = [await settled(() => openFiles(pid)), await settled(() => treeRssBytes(pid) / MIB, 20)];
    await connectClients(1_500);
    const startedMs = performance.now();
    expect(await stream({ text: '早晨' }).then(errorOf)).toEqual([200, 'none']);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    // Replaced worker processes account for a few open files, also for a while after the last
    // answer; leaked connections would be hundreds.
    await expect.poll(() => openFiles(pid)).toBeLessThanOrEqual(files + 40);
    expect((await settled(() => treeRssBytes(pid) / MIB, 20)) - bytes).toBeLessThan(100);
    // Requests that were left a moment ago may still be ending.
    await expect.poll(() => filesIn(join(folder.path, 'data', 'incoming'))).toEqual([]);
    const workers = descendants(pid);
    expect(workers.length).toBeLessThanOrEqual(everyone.length + 1);
    const before = workers.map(cpuSeconds);
    await sleep(1_000);
    for (const [i, worker] of workers.entries()) expect(cpuSeconds(worker) - before[i]!).toBeLessThan(0.2);
  });
});

const random = randomFrom(64);
function pick<Choice>(choices: readonly [Choice, ...Choice[]]): Choice {
  return choices[Math.floor(random() * choices.length)] ?? choices[0];
}

function filesIn(path: string): string[] {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Measures until the figure no longer falls: connections and memory are released with a delay. */
async function settled(measure: () => number, step = 0): Promise<number> {
  let last = measure();
  for (let left = 10; left > 0; left -= 1) {
    await sleep(500);
    const now = measure();
    if (now >= last - step) return now;
    last = now;
  }
  return last;
}
