import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { LanguageModel } from '@jyutsing/contracts/language-model';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { json, send, withKey } from '#testbed/clients/requests.ts';
import { startAfterServer, translated, type AfterServer } from '#test/after-server.ts';
import { leastTurnMs } from '#test/http/longest-turn.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { beginTranslation } from '#server/features/after-transcript/translate-transcript.ts';
import { newRecord, newResult } from '#test/transcription-records.ts';

let llm: AfterServer;
let model: LanguageModel;
let server: TestServer;
let account: { id: string; key: string };
beforeAll(async () => {
  llm = await startAfterServer();
  const settings = { LLM_BASE_URL: llm.baseUrl, LLM_MODEL: 'qwen3:8b' };
  const env = { builtinModelsDir: '/nowhere', modelsDir: '/nowhere', settings };
  const engines = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env });
  model = await engines.open(engines.select('language-model'));
  server = await startTestServer({
    languageModels: { open: () => Promise.resolve(model), run: (signal, work) => work(signal) },
  });
});
beforeEach(async () => {
  llm.behave('right');
  llm.delayMs(0);
  account = await server.newAccount('pro');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await model.close();
  await llm.close();
});

const TEXTS = ['早晨，今日我哋開會', '講下個月嘅預算', '好', '聽日再傾過'];

function segmentsOf(texts: readonly string[]) {
  return texts.map((text, index) => ({
    text,
    startMs: index * 3_000,
    endMs: index * 3_000 + 2_500,
    words: [],
    speaker: 'a',
    confidence: null,
  }));
}
async function insert(durationMs = 12_000): Promise<string> {
  const result = { ...newResult(), segments: segmentsOf(TEXTS) };
  const record = newRecord(account.id, { status: 'completed', blobKey: null, result, durationMs, title: '例會' });
  await server.store.transcriptions.insert(record);
  return record.id;
}
const at = (path: string) => `${server.baseUrl}/api/speech-to-text/${path}`;
const post = (path: string, body: object, key = account.key) => send(at(path), json('POST', body, key));
const used = async () => (await server.store.quotas.used(account.id)).video_summaries;
const stateOf = async (id: string) => {
  const { body } = await send(at(`${id}/translations`), withKey(account.key));
  return (body['translations'] as unknown as { status: string; error_code?: string }[])[0];
};
const ended = (id: string) =>
  vi.waitFor(async () => expect((await stateOf(id))?.status).not.toBe('processing'), { timeout: 60_000 });

it('a translation is made in the background, and files have it alone or beside the text', async () => {
  const id = await insert();
  expect((await post(`${id}/translations`, { language: 'english' })).body).toMatchObject({
    translation: { language: 'english', status: 'processing', total: 4 },
  });
  await ended(id);
  expect(await stateOf(id)).toEqual({ language: 'english', status: 'completed', done: 4, total: 4 });
  expect(await used()).toBe(1);
  const file = async (name: string) => (await fetch(at(`${id}.${name}`), withKey(account.key))).text();
  const english = TEXTS.map(translated);
  expect(await file('txt?language=english')).toBe(`${english.join(' ')}\n`);
  const srt = await file('srt?language=english&bilingual=true&speakers=false&max_line_length=40');
  expect(srt).toContain(`00:00:00,000 --> 00:00:02,500\n${TEXTS[0]}\n${english[0]}\n`);
  expect(await file('srt?language=english')).not.toMatch(/\p{Script=Han}/u);
  expect(await file('md?language=english&bilingual=true')).toContain(`> ${english.join(' ')}`);
  const { segments } = JSON.parse(await file('json?language=english')) as { segments: { translation: string }[] };
  expect(segments.map(({ translation }) => translation)).toEqual(english);
  // There is one already, so it costs nothing.
  await post(`${id}/translations`, { language: 'english' });
  expect(await used()).toBe(1);
});

it('simultaneous requests make one translation, which is charged once', async () => {
  const id = await insert();
  llm.questions.length = 0;
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => post(`${id}/translations`, { language: 'english' })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await ended(id);
  await expect.poll(used).toBe(1);
  expect(llm.questions).toHaveLength(1);
});

it('an attempt that another one replaces, or whose transcript is deleted, costs nothing', async () => {
  const place = { accountId: account.id, language: 'english' };
  llm.delayMs(2_000);
  const replaced = await insert();
  await post(`${replaced}/translations`, { language: 'english' });
  const { translations, transcriptions } = server.store;
  const { workId } = (await translations.find({ ...place, transcriptionId: replaced }))!;
  const work = { sourceSha256: 'later', total: 4, workId: 'later' };
  expect(await translations.begin({ ...place, transcriptionId: replaced }, work, workId)).toBe(true);
  const deleted = await insert();
  await post(`${deleted}/translations`, { language: 'english' });
  await transcriptions.delete(deleted, account.id);
  await expect.poll(used).toBe(0);
  expect(await translations.find({ ...place, transcriptionId: replaced })).toMatchObject({
    status: 'processing',
    workId: 'later',
  });
});

it('an attempt whose process has ended is failed after a minute, and is made again', async () => {
  const id = await insert();
  const work = { sourceSha256: 'earlier', total: 4, workId: 'earlier' };
  const place = { transcriptionId: id, accountId: account.id, language: 'english' };
  await server.store.translations.begin(place, work, null);
  expect(await stateOf(id)).toMatchObject({ status: 'processing' });
  vi.setSystemTime(Date.now() + 61_000);
  try {
    expect(await stateOf(id)).toMatchObject({ status: 'failed', error_code: 'timed_out' });
    await post(`${id}/translations`, { language: 'english' });
    await ended(id);
    expect(await stateOf(id)).toMatchObject({ status: 'completed' });
  } finally {
    vi.useRealTimers();
  }
});

it('an attempt that waits for the model says that it goes on', async () => {
  const id = await insert();
  llm.delayMs(1_000);
  const { translations, transcriptions } = server.store;
  const record = await transcriptions.find(id);
  if (record?.status !== 'completed') throw new Error('The transcription has to be completed.');
  const models = {
    open: () => Promise.resolve(model),
    run: <T>(signal: AbortSignal, work: (s: AbortSignal) => Promise<T>) => work(signal),
  };
  const choice = { language: 'english', replaces: null } as const;
  await beginTranslation({ models, translations, heartbeatMs: 20 }, record, choice, (work) => work());
  const changedAt = async () => (await translations.find({ transcriptionId: id, language: 'english' }))!.changedAtMs;
  const begunAtMs = await changedAt();
  await expect.poll(changedAt, { interval: 20 }).toBeGreaterThan(begunAtMs);
  expect(await stateOf(id)).toMatchObject({ status: 'processing', done: 0 });
  await ended(id);
});

it('an edit makes a translation outdated: files refuse it until it is made again', async () => {
  const id = await insert();
  await post(`${id}/translations`, { language: 'english' });
  await ended(id);
  await server.store.transcriptions.saveEdit(id, account.id, { title: '新題目' }, null);
  expect(await stateOf(id)).toMatchObject({ status: 'completed' });
  const edit = { segments: segmentsOf([...TEXTS.slice(0, 3), '聽日見']), speakers: {} };
  await server.store.transcriptions.saveEdit(id, account.id, { edit }, null);
  expect(await stateOf(id)).toMatchObject({ status: 'outdated' });
  const refused = await send(at(`${id}.srt?language=english`), withKey(account.key));
  expect([refused.status, refused.body['error']?.['code']]).toEqual([409, 'conflict']);
  await post(`${id}/translations`, { language: 'english' });
  await ended(id);
  expect(await (await fetch(at(`${id}.txt?language=english`), withKey(account.key))).text()).toContain(
    translated('聽日見'),
  );
});

it('a failed translation says why and costs nothing; a long recording costs more credits', async () => {
  const id = await insert(61 * 60_000);
  llm.behave('refuses');
  await post(`${id}/translations`, { language: 'english' });
  await ended(id);
  expect(await stateOf(id)).toMatchObject({ status: 'failed', error_code: 'language_model_failed' });
  expect(await used()).toBe(0);
  llm.behave('right');
  await post(`${id}/translations`, { language: 'english' });
  await ended(id);
  expect(await used()).toBe(3);
});

it('a summary has statements with times, costs one credit, and none when it fails', async () => {
  const id = await insert();
  const { status, body } = await post(`${id}/summary`, { kind: 'minutes', language: 'cantonese' });
  expect([status, body]).toMatchObject([
    200,
    {
      text: `佢哋講到${TEXTS[0]}`,
      statements: [{ role: 'point', sources: [{ start: 0, end: 2.5, text: TEXTS[0] }] }],
      sources: [{ start: 0 }],
    },
  ]);
  expect(await used()).toBe(1);
  llm.behave('apologizes');
  const refused = await post(`${id}/summary`, {});
  expect([refused.status, refused.body['error']?.['code'], await used()]).toEqual([502, 'language_model_failed', 1]);
});

it('questions are answered from a record or a text of the client', async () => {
  const id = await insert();
  expect((await post(`${id}/questions`, { question: '聽日做咩？' })).body).toMatchObject({
    text: TEXTS[3],
    sources: [{ start: 9, text: TEXTS[3] }],
  });
  const text = { transcript: TEXTS.join('\n'), question: '聽日做咩？' };
  const ofText = await send(`${server.baseUrl}/api/text/questions`, json('POST', text, account.key));
  expect(ofText.body).toMatchObject({ text: TEXTS[3], sources: [{ start: null, text: TEXTS[3] }] });
  const summary = await send(
    `${server.baseUrl}/api/text/summary`,
    json('POST', { transcript: TEXTS.join('\n') }, account.key),
  );
  expect(summary.body).toMatchObject({ success: true, statements: [{ sources: [{ text: TEXTS[0] }] }] });
  expect((await post(`${id}/questions`, { question: ' ' })).status).toBe(400);
});

it.each(['1.', 'a\n', '<?'])('a text of a megabyte holds up no other request: %j', async (part) => {
  const body = json('POST', { transcript: part.repeat(500_000) }, account.key);
  const refused: number[] = [];
  const ask = async () => {
    const { status } = await send(`${server.baseUrl}/api/text/summary`, body);
    refused.push(status);
  };
  expect(await leastTurnMs(ask, 75)).toBeLessThan(75);
  expect(new Set(refused)).toEqual(new Set([400]));
});

it('the last credit is spent once, and nothing is done without one', async () => {
  const poor = await server.newAccount('talkative');
  account = poor;
  const id = await insert();
  const refused = await post(`${id}/translations`, { language: 'english' });
  expect([refused.status, refused.body['error']?.['code']]).toEqual([429, 'quota_exceeded']);
  expect((await post(`${id}/summary`, {})).status).toBe(429);
});

it('records of another account, and languages that are not offered, are refused', async () => {
  const id = await insert();
  const other = await server.newAccount('pro');
  const outcomes = [
    (await post(`${id}/translations`, { language: 'english' }, other.key)).status,
    (await post(`${id}/summary`, {}, other.key)).status,
    (await post(`${id}/questions`, { question: 'x' }, other.key)).status,
    (await send(at(`${id}/translations`), withKey(other.key))).status,
    (await post(`${id}/translations`, { language: 'cantonese' })).status,
  ];
  expect(outcomes).toEqual([404, 404, 404, 404, 400]);
});

it('without a language model each request says what to set', async () => {
  await using bare = await startTestServer();
  const { id: accountId, key } = await bare.newAccount('pro');
  const record = newRecord(accountId, { status: 'completed', blobKey: null });
  await bare.store.transcriptions.insert(record);
  const bodies = { translations: { language: 'english' }, summary: {}, questions: { question: '幾點？' } };
  for (const [path, body] of Object.entries(bodies)) {
    const answer = await send(`${bare.baseUrl}/api/speech-to-text/${record.id}/${path}`, json('POST', body, key));
    expect([path, answer.status, answer.body['error']?.['code'], String(answer.body['message'])]).toEqual([
      path,
      503,
      'language_model_required',
      expect.stringContaining('LLM_BASE_URL'),
    ]);
  }
  expect((await bare.store.quotas.used(accountId)).video_summaries).toBe(0);
});
