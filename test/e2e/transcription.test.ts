import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { descendants } from '#testbed/service/process-tree.ts';
import { editDistance } from '../../eval/score.ts';
import { FIXTURE_FORMATS, silence, wavBytes, writeSound, type Sound } from '#testbed/sound/audio.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  sharedService,
  submission,
  temporaryFolder,
  waitForResult,
  type SharedService,
} from '#testbed/service/service.ts';
import { durationOf, joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';

const SENTENCES = ['我住喺九龍，返工要搭地鐵。', '聽日朝早九點開會，唔好遲到。', '醫生叫我飲多啲水，早啲瞓覺。'];
/** The spoken text without punctuation. */
const SPOKEN = SENTENCES.join('').replaceAll(/[，。]/gu, '');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: SharedService;
let speech: Sound;
let wav: Uint8Array;

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await sharedService();
  const spoken = [];
  for (const sentence of SENTENCES) spoken.push(await speak(toJyutping(sentence)));
  speech = joinSounds(spoken, 700);
  wav = wavBytes(speech);
});

afterAll(() => folder[Symbol.asyncDispose]());

const post = (path: string, audio: Uint8Array, fields: Record<string, string> = {}) =>
  request(`${service.baseUrl}${path}`, submission(audio, fields));

/** Character error rate against the spoken text. */
function errorIn(text: unknown): number {
  const recognized = Array.from(String(text).replaceAll(/[\s，。]/gu, ''));
  return editDistance(recognized, Array.from(SPOKEN)) / SPOKEN.length;
}

/** Whether a process has mapped the library of FFmpeg. */
async function hasFfmpeg(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/maps`, 'utf8')).includes('/node-av');
}

describe('Cantonese speech', () => {
  it.each(FIXTURE_FORMATS)('is transcribed from %s', async (format) => {
    const path = join(folder.path, `speech.${format}`);
    await writeSound(path, speech, format);
    const { status, body } = await post('/api/stt', await readFile(path), { wait_for_completion: 'true' });
    expect(status).toBe(200);
    expect(errorIn(body['text'])).toBeLessThan(0.3);
    expect(String(body['duration'])).toMatch(/^\d+\.\d{6}$/);
    // Lossy codecs add padding.
    expect(Math.abs(Number(body['duration']) * 1_000 - durationOf(speech))).toBeLessThan(150);
    expect(typeof body['process_time']).toBe('number');
  });

  it.each(['/', '/speech-to-text'])('POST %s waits for the transcript', async (path) => {
    const { status, body } = await post(path, wav);
    expect(status).toBe(200);
    expect(errorIn(body['text'])).toBeLessThan(0.3);
  });

  it('different words give different transcripts', async () => {
    const other = wavBytes(await speak(toJyutping('圖書館星期一唔開門。')));
    const { body } = await post('/speech-to-text', other);
    expect(errorIn(body['text'])).toBeGreaterThan(0.7);
    expect(editDistance(Array.from(String(body['text'])), Array.from('圖書館星期一唔開門'))).toBeLessThan(5);
  });

  it('quiet speech over an offset gives its text', async () => {
    for (const [level, offset] of [
      [0.1, 0.02],
      [0.04, -0.01],
    ] as const) {
      const channels = speech.channels.map((samples) => samples.map((sample) => level * sample + offset));
      const { body } = await post('/speech-to-text', wavBytes({ ...speech, channels }));
      expect(errorIn(body['text'])).toBeLessThan(0.3);
    }
  });

  it('silence gives an empty transcript', async () => {
    const { status, body } = await post('/speech-to-text', wavBytes(silence(3_000)));
    expect(status).toBe(200);
    expect(body['text']).toBe('');
  });
});

describe('an asynchronous transcription', () => {
  it('is answered at once and ends as a full record', async () => {
    // Options differ from those above, as cached results cost nothing.
    const submitted = await post('/api/stt', wav, { skip_fusion: 'true' });
    expect(submitted.status).toBe(200);
    expect(submitted.body).toEqual({
      success: true,
      data: { request_id: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'processing' },
    });
    const id = requestIdOf(submitted);
    const record = await waitForResult(service.baseUrl, id);
    expect(record).toMatchObject({
      request_id: id,
      status: 'completed',
      output_language: 'cantonese',
      backend: 'builtin',
      quality: 'fallback',
      with_diarization: false,
      include_timestamp: false,
      credits_used: Math.ceil(durationOf(speech) / 1_000),
    });
    expect(errorIn(record['transcription'])).toBeLessThan(0.3);
    expect(record['duration_s']).toBeCloseTo(durationOf(speech) / 1_000, 1);
    for (const name of ['error', 'context', 'fused_transcription', 'jyutping_transcription']) {
      expect(record).not.toHaveProperty(name);
    }
  });

  it.runIf(process.platform === 'linux')('leaves the decoder in the worker process that used it', async () => {
    await waitForResult(service.baseUrl, requestIdOf(await post('/api/stt', wav, { context: 'the decoder' })));
    const listening = service.process.pid!;
    expect(await hasFfmpeg(listening)).toBe(false);
    expect(await Promise.all(descendants(listening).map(hasFfmpeg))).toContain(true);
  });

  it('has numbered blocks with times on request', async () => {
    const submitted = await post('/api/stt', wav, { with_timestamp: 'true', context: '醫生' });
    const id = requestIdOf(submitted);
    const record = await waitForResult(service.baseUrl, id);
    expect(record).toMatchObject({ include_timestamp: true, context: '醫生' });
    const blocks = String(record['transcription']).trim().split('\n\n');
    expect(blocks).toHaveLength(SENTENCES.length);
    let lastEnd = '';
    for (const [index, block] of blocks.entries()) {
      const [number, range, text] = block.split('\n');
      expect(number).toBe(String(index + 1));
      expect(range).toMatch(/^\d{2}:\d{2}:\d{2},\d{3} --> \d{2}:\d{2}:\d{2},\d{3}$/);
      const [start, end] = range!.split(' --> ') as [string, string];
      expect(start < end && lastEnd <= start).toBe(true);
      lastEnd = end;
      expect(text).not.toBe('');
    }
  });

  it("is not found with another account's key", async () => {
    const submitted = await post('/api/stt', wav);
    const id = requestIdOf(submitted);
    const stranger = await newAccount();
    const { status, body } = await request(`${service.baseUrl}/api/speech-to-text/get-result?id=${id}`, {
      headers: { 'x-api-key': stranger.key },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: false });
    expect(body).not.toHaveProperty('transcription');
  });
});

describe('a transcription request that cannot be served', () => {
  it('is 503 with instructions for a model that is not installed, and 422 for one that lacks the language', async () => {
    const { status, body } = await post('/api/stt', wav, { model: 'wsyue-u2pp' });
    expect(status).toBe(503);
    expect(body).toMatchObject({ success: false, error: { code: 'engine_unavailable' } });
    expect(String(body['message'])).toContain('npm run models -- pull wsyue-u2pp');
    const other = await post('/api/stt', wav, { model: 'wsyue-u2pp', lang: 'english' });
    expect(other.status).toBe(422);
    expect(String(other.body['message'])).toContain('english');
  });

  it.each([
    ['a text file', new TextEncoder().encode('not sound at all\n'.repeat(500)), 415],
    ['an empty file', new Uint8Array(), 422],
    ['a WAV without sound', wavBytes({ sampleRateHz: 16_000, channels: [new Float32Array()] }), 422],
  ])('for %s is refused with its status', async (_, bytes, expected) => {
    const { status, body } = await post('/speech-to-text', bytes);
    expect(status).toBe(expected);
    expect(body).toMatchObject({ success: false, message: expect.any(String), request_id: expect.any(String) });
  });

  it('for a truncated recording has the text of what is there, says so, and costs its length', async () => {
    const account = await newAccount('free');
    const path = join(folder.path, 'cut.flac');
    await writeSound(path, speech, 'flac');
    const whole = await readFile(path);
    const { status, body } = await post('/speech-to-text', whole.subarray(0, whole.length / 2), {
      api_key: account.key,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ text: expect.stringMatching(/./), notice: 'cut_off' });
    const usage = await request(`${service.baseUrl}/api/admin/accounts/${account.id}/usage`, {
      headers: { 'x-api-key': OWNER_KEY },
    });
    const seconds = Math.ceil(durationOf(speech) / 1_000);
    const [, used] = /"stt_seconds":\{"used":(\d+),/.exec(JSON.stringify(usage.body)) ?? [];
    expect(Number(used)).toBeGreaterThan(0);
    expect(Number(used)).toBeLessThan(seconds);
  });
});

async function newAccount(plan = 'starter'): Promise<{ id: string; key: string }> {
  const { body } = await asOwner('/accounts', { name: 'A stranger', plan });
  const { id } = body['account'] as { id: string };
  const made = await asOwner(`/accounts/${id}/keys`, {});
  return { id, key: String(made.body['api_key']) };
}

function asOwner(path: string, body: unknown) {
  return request(`${service.baseUrl}/api/admin${path}`, {
    method: 'POST',
    headers: { 'x-api-key': OWNER_KEY, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
