import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scoreWell } from '#test/http/score-well.ts';
import { wav } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { createTestVideos } from '#test/http/video-summary.ts';
import { InvalidRequestError, Jyutsing, NotFoundError, type TranscriptionProgress } from './index.ts';

let server: TestServer;
let jyut: Jyutsing;
let path: string;
beforeAll(async () => {
  server = await startTestServer({ scorePronunciation: scoreWell, videoSummarizer: createTestVideos() });
  jyut = new Jyutsing({ baseUrl: `${server.baseUrl}/`, apiKey: server.ownerKey });
  path = join(tmpdir(), `jyutsing-client-${process.pid}.wav`);
  await writeFile(path, wav(1));
});
afterAll(async () => {
  await rm(path, { force: true });
  await server[Symbol.asyncDispose]();
});

describe('transcribe', () => {
  const sources = {
    'a path': async () => path,
    'a file URL': async () => pathToFileURL(path),
    'a Blob': async () => new Blob([wav(1)]),
    'a File': async () => new File([wav(1)], 'me.wav'),
    bytes: async () => wav(1),
    'an ArrayBuffer': async () => wav(1).buffer,
    'a web stream': async () => new Blob([wav(1)]).stream(),
    'an async iterable': async () => pieces(wav(1)),
  };
  it.each(Object.entries(sources))('takes %s', async (_, open) => {
    const job = await jyut.transcribe(await open());
    const { text, language, duration_s: seconds, segments } = await job.wait();
    expect({ text, language, seconds }).toEqual({ text: '早晨 你好媽', language: 'cantonese', seconds: 1 });
    expect(segments.map((segment) => segment.text)).toEqual(['早晨', '你好媽']);
  });

  it('sends the options, and tells how much of the file was sent', async () => {
    const byteCounts: number[] = [];
    const bytes = wav(5);
    const job = await jyut.transcribe(bytes, {
      language: 'zh-HK',
      context: '岑灝賢',
      fusion: false,
      onUploadProgress: ({ sentBytes, totalBytes }) => byteCounts.push(sentBytes, totalBytes ?? NaN),
    });
    expect(await job.record()).toMatchObject({ context: '岑灝賢' });
    await expect(jyut.transcribe(wav(1), { language: 'klingon' })).rejects.toMatchObject({ code: 'invalid_parameter' });
    expect(byteCounts.length).toBeGreaterThan(4);
    expect(byteCounts.slice(-2)).toEqual([bytes.length, bytes.length]);
    expect(byteCounts.filter((_, at) => at % 2 === 0)).toEqual(
      byteCounts.filter((_, at) => at % 2 === 0).toSorted((a, b) => a - b),
    );
  });

  it('follows the progress to its end, and gives every format', async () => {
    server.state.workIsHeld = true;
    const job = await jyut.transcribe(wav(2), { context: 'FUSE' });
    const progressList: TranscriptionProgress[] = [];
    for await (const progress of job.progress()) {
      server.state.workIsHeld = false;
      progressList.push(progress);
    }
    expect(progressList.length).toBeGreaterThan(1);
    expect(progressList[0]).toMatchObject({ fraction: 0, stage: 'queued' });
    expect(progressList.at(-1)).toEqual({ fraction: 1, stage: 'completed', processedSeconds: 2, durationSeconds: 2 });
    expect(await job.txt()).toBe('早晨 你好嗎\n');
    expect(await job.srt()).toContain('00:00:00,000 --> ');
    expect(await job.vtt()).toMatch(/^WEBVTT\n/);
    expect((await job.json({ text: 'raw' })).text).toBe('早晨 你好媽');
  });

  it('ends the work on the server with cancel, as often as it is called', async () => {
    server.state.workIsHeld = true;
    const job = await jyut.transcribe(wav(1));
    await job.cancel();
    server.state.workIsHeld = false;
    await expect(job.record()).rejects.toThrow(NotFoundError);
    await job.cancel();
    await expect(job.delete()).rejects.toMatchObject({ name: 'NotFoundError', code: 'not_found', status: 404 });
    await expect(job.wait()).rejects.toThrow(NotFoundError);
  });

  it('submits several recordings as a batch, which the list finds again', async () => {
    const { id, jobs } = await jyut.transcriptions.submitBatch([wav(1), wav(1), path], {});
    expect(jobs).toHaveLength(3);
    for (const job of jobs) expect((await job.wait()).text).toBe('早晨 你好媽');
    const listed: string[] = [];
    const list = jyut.transcriptions.list({ pageSize: 1, batchId: id!, status: 'completed' });
    for await (const { request_id: requestId } of list) listed.push(requestId);
    expect(listed.toSorted()).toEqual(jobs.map((job) => job.id).toSorted());
  });

  it('lists all pages while each transcription is deleted in the loop', async () => {
    const { id, jobs } = await jyut.transcriptions.submitBatch([wav(1), wav(1), wav(1), wav(1)], {});
    for (const job of jobs) await job.wait();
    const deleted: string[] = [];
    for await (const { request_id: requestId } of jyut.transcriptions.list({ pageSize: 2, batchId: id! })) {
      await jyut.transcriptions.delete(requestId);
      deleted.push(requestId);
    }
    expect(deleted.toSorted()).toEqual(jobs.map((job) => job.id).toSorted());
  });

  it('refuses a path without a file before anything is sent', async () => {
    const failure = await jyut.transcribe('/nowhere/me.wav').catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(InvalidRequestError);
    expect(failure).toMatchObject({ code: 'unreadable_file', status: null });
  });
});

async function* pieces(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}

describe('speak', () => {
  it('gives whole samples while the speech is made', async () => {
    let bytes = 0;
    for await (const piece of jyut.speak('聽日見！', { voice: 'default' })) {
      expect(piece.length % 2).toBe(0);
      bytes += piece.length;
    }
    expect(bytes).toBeGreaterThan(4_800);
  });

  it('writes a file in the format of its extension', async () => {
    const file = join(tmpdir(), `jyutsing-client-${process.pid}.mp3`);
    await jyut.speak('聽日見！', { speed: 1.5 }).toFile(file);
    const bytes = await readFile(file);
    await rm(file);
    expect(bytes.subarray(0, 3).toString('latin1') === 'ID3' || bytes[0] === 0xff).toBe(true);
    const lost = jyut.speak('聽日見！').toFile('/dev/null/speech.mp3');
    await expect(lost).rejects.toMatchObject({ name: 'InvalidRequestError', code: 'unwritable_file' });
    await expect(jyut.speak('聽日見！').toFile('speech.txt')).rejects.toThrow(/wav, mp3, ogg or flac/);
  });

  it('gives a file and the times of its words', async () => {
    const steady = jyut.speak('聽日見！', { format: 'wav', temperature: 0 });
    const blob = await steady.blob();
    expect(await (await steady.blob()).bytes()).toEqual(await blob.bytes());
    expect(blob.type).toBe('audio/wav');
    const { timestamps, file } = await jyut.speak('聽日見！').withTimestamps();
    expect(timestamps.map(({ text }) => text).join('')).toContain('聽日');
    expect(atob(file).slice(0, 4)).toBe('RIFF');
  });

  it('says names as corpora say, by default those of the account', async () => {
    const corpus = await jyut.corpora.create({ name: '名', tsv: '聽日\tfaa1 faa1 ' });
    const lexicons: unknown[] = [];
    for (const corpora of [undefined, [corpus.id], []]) {
      await jyut.speak('聽日見！', { corpora }).blob();
      lexicons.push(server.state.calls.at(-1)?.text.lexicon);
    }
    const lexicon = [{ text: '聽日', jyutping: ['faa1', 'faa1'] }];
    expect(lexicons).toEqual([lexicon, lexicon, []]);
    await jyut.corpora.delete(corpus.id);
  });

  it('refuses to stream with an option for files', async () => {
    const speech = jyut.speak('聽日見！', { speed: 2 });
    expect(() => speech.stream()).toThrow('no option "speed"');
  });
});

describe('everything else', () => {
  it('score has the fields of its language', async () => {
    const cantonese = await jyut.score(path, '香港');
    expect(cantonese).toMatchObject({ language: 'cantonese', expectedJyutping: 'hou2' });
    const english = await jyut.score(path, 'hello', { language: 'english' });
    expect(english).toMatchObject({ language: 'english', expectedText: 'hello', words: expect.any(Array) });
  });

  it('summarize gives the summary, and throws what the video lacks', async () => {
    const { summary } = await jyut.summarize('https://youtu.be/dQw4w9WgXcQ', {
      language: 'english',
      transcript: '早晨',
    });
    expect(summary.length).toBeGreaterThan(0);
    await expect(jyut.summarize('not a link')).rejects.toMatchObject({
      name: 'InvalidRequestError',
      code: 'invalid_video_link',
    });
    expect(await jyut.videos.usage()).toMatchObject({ used: 1 });
  });

  it('corpora are made of TSV, replaced by version, and deleted', async () => {
    const corpus = await jyut.corpora.create({ name: '茶樓', tsv: '蝦餃\thaa1 gaau2\n燒賣' });
    expect(corpus).toMatchObject({ version: 1, entries: [{ text: '蝦餃' }, { text: '燒賣' }] });
    const changed = await jyut.corpora.replace(corpus.id, { entries: [{ text: '腸粉' }], version: 1 });
    expect(changed).toMatchObject({ version: 2, name: '茶樓' });
    await expect(jyut.corpora.replace(corpus.id, { tsv: '鳳爪', version: 1 })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await jyut.corpora.tsv(corpus.id)).toContain('腸粉');
    expect((await jyut.corpora.list()).map(({ id }) => id)).toContain(corpus.id);
    await jyut.corpora.delete(corpus.id);
    await expect(jyut.corpora.get(corpus.id)).rejects.toThrow(NotFoundError);
  });

  it('voices, models, usage, health and readings are there', async () => {
    const voices = await jyut.voices.list();
    const [voice] = voices;
    expect(await jyut.voices.get(voice!.voice_id)).toMatchObject({ voice_id: voice!.voice_id });
    expect((await jyut.voices.sample(voice!.voice_id)).size).toBeGreaterThan(44);
    const models = await jyut.models.list();
    expect(await jyut.models.get(models[0]!.id)).toEqual(models[0]);
    expect((await jyut.usage()).quotas).toHaveProperty('stt_seconds');
    expect((await jyut.health()).status).toBe('ok');
    expect((await jyut.info()).name).toBe('jyutsing');
    expect(await jyut.metrics()).toContain('jyutsing_http_requests_total');
  });

  it('the secret of webhooks is kept until it is replaced', async () => {
    const secret = await jyut.webhookSecret();
    expect(await jyut.webhookSecret()).toBe(secret);
    expect(await jyut.rotateWebhookSecret()).not.toBe(secret);
  });

  it('accounts and keys are made, changed and removed', async () => {
    const account = await jyut.accounts.create({ name: 'a school', plan: 'small' });
    expect(await jyut.accounts.update(account.id, { plan: 'pro' })).toMatchObject({ plan: 'pro' });
    const { api_key: apiKey, key } = await jyut.keys.create(account.id, { name: 'one', scopes: ['stt'] });
    const accountClient = new Jyutsing({ baseUrl: server.baseUrl, apiKey });
    expect((await accountClient.usage()).account).toEqual({ id: account.id, name: 'a school' });
    await expect(accountClient.voices.list()).rejects.toMatchObject({ name: 'PermissionError', status: 403 });
    expect((await jyut.keys.list(account.id)).map(({ id }) => id)).toEqual([key.id]);
    await jyut.keys.revoke(key.id);
    await expect(accountClient.usage()).rejects.toMatchObject({ name: 'AuthenticationError', code: 'invalid_api_key' });
    expect(await jyut.accounts.usage(account.id)).toMatchObject({ plan: 'pro' });
    await jyut.accounts.delete(account.id);
    expect((await jyut.accounts.list()).map(({ id }) => id)).not.toContain(account.id);
  });

  it('an answer has its headers, and an error its request id', async () => {
    const { data, response } = await jyut.voices.list().withResponse();
    expect(data.length).toBeGreaterThan(0);
    expect(response.headers.get('x-request-id')).toBeTruthy();
    const failure = jyut.models.get('none', { headers: { 'x-request-id': 'my-id' } });
    await expect(failure).rejects.toMatchObject({ code: 'model_not_found', requestId: 'my-id' });
  });
});
