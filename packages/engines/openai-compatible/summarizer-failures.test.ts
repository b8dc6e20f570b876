import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { failureOf, LLM_KEY, summarizeWith, envFor, until } from '#test/summarize-with-server.ts';
import { SUMMARY_MODES, type SummaryMode } from '#test/summary-answers.ts';
import { startSummaryServer, type SummaryServer } from '#test/summary-server.ts';
import { AppError } from '@jyutsing/contracts/errors';
import { SUMMARY_LANGUAGES } from '@jyutsing/contracts/summarizer';
import { engine } from './summarizer.ts';
import { onlyModel } from '#test/only-model.ts';

let server: SummaryServer;
beforeAll(async () => {
  server = await startSummaryServer(LLM_KEY);
});
afterAll(() => server.close());
beforeEach(() => server.reset());

const never = new AbortController().signal;
const FOREIGN =
  'Hoje vamos falar sobre os restaurantes de chá em Hong Kong. Muita gente gosta deles. Obrigado por assistir.';
const summarize = (transcript = FOREIGN) => summarizeWith(server, { transcript });

describe('failures are typed errors without key, address and text', () => {
  const failures: [SummaryMode, string][] = [
    ['empty', 'summary_failed'],
    ['no-message', 'summary_failed'],
    ['other-json', 'summary_failed'],
    ['refuses', 'summary_failed'],
    ['refuses-silently', 'summary_failed'],
    ['content-filter', 'summary_failed'],
    ['leaks-prompt', 'summary_failed'],
    ['no-completion', 'engine_failed'],
    ['huge', 'engine_failed'],
    ['bad-gateway', 'service_unavailable'],
    ['fails', 'engine_failed'],
    ['unauthorized', 'engine_unavailable'],
    ['busy', 'service_unavailable'],
    ['redirects', 'engine_unavailable'],
    ['breaks-off', 'service_unavailable'],
  ];
  it.each(failures)('%s', async (mode, code) => {
    server.behave(mode);
    const thrown = await failureOf(summarize());
    expect(thrown).toMatchObject({ name: 'AppError', code });
    expect((thrown as AppError).message).toMatch(
      code === 'summary_failed' ? /^Failed to summarize$/ : /language model server.*(summar|busy|key|address|lost)/,
    );
    const details = `${JSON.stringify(thrown)} ${String(thrown)} ${String((thrown as AppError).cause)}`;
    expect(details).not.toMatch(/sk-secret|127\.0\.0\.1|http:|Hong Kong/);
    expect(server.requests).toHaveLength(1);
  });

  it.each(SUMMARY_LANGUAGES)('a refusal in %s is a failure', async (language) => {
    server.behave('refuses');
    const thrown = await failureOf(summarizeWith(server, { transcript: FOREIGN, language }));
    expect(thrown).toMatchObject({ code: 'summary_failed', cause: { message: 'the model refused' } });
  });

  it('an unreachable server, and one that does not respond in time', async () => {
    const closedServer = await startSummaryServer();
    await closedServer.close();
    const settings = { LLM_BASE_URL: closedServer.baseUrl };
    expect(await failureOf(summarizeWith(server, { transcript: FOREIGN }, { settings }))).toMatchObject({
      code: 'engine_unavailable',
    });
    server.behave('never');
    const late = summarizeWith(server, { transcript: FOREIGN }, { settings: { LLM_TIMEOUT_SECONDS: '0.05' } });
    expect(await failureOf(late)).toMatchObject({ code: 'timed_out' });
  });

  it('every answer gives a text or an AppError', async () => {
    for (const mode of SUMMARY_MODES.filter((candidate) => candidate !== 'never')) {
      server.behave(mode);
      const outcome = await summarize().catch((error: unknown) => error);
      const isValid = typeof outcome === 'string' ? outcome.trim() !== '' : outcome instanceof AppError;
      expect([mode, isValid]).toEqual([mode, true]);
    }
  });
});

test('an abort closes the connection at once and throws its reason; closing the summarizer closes it too', async () => {
  server.behave('never');
  const before = server.abandoned();
  const reason = new AppError('timed_out');
  const stop = new AbortController();
  const running = failureOf(summarizeWith(server, { transcript: FOREIGN }, { signal: stop.signal }));
  await until(() => server.requests.length === 1);
  stop.abort(reason);
  expect(await running).toBe(reason);
  await until(() => server.abandoned() === before + 1);
  expect(await failureOf(summarizeWith(server, { transcript: FOREIGN }, { signal: stop.signal }))).toBe(reason);

  const summarizer = await engine.open(envFor(server), 'openai-compatible');
  const other = failureOf(summarizer.summarize({ transcript: FOREIGN, title: null, language: 'korean' }, never));
  await until(() => server.requests.length === 2);
  await summarizer.close();
  await summarizer.close();
  expect(await other).toMatchObject({ code: 'service_unavailable' });
});

describe('settings', () => {
  it.each([
    [{ LLM_BASE_URL: '' }, 'LLM_BASE_URL is not set'],
    [{ LLM_MODEL: '' }, 'LLM_MODEL is not set'],
    [{ LLM_BASE_URL: 'ftp://x/v1' }, 'invalid value of LLM_BASE_URL'],
    [{ LLM_CONTEXT_TOKENS: '100' }, 'invalid value of LLM_CONTEXT_TOKENS'],
    [{ LLM_CONTEXT_TOKENS: '8k' }, 'invalid value of LLM_CONTEXT_TOKENS'],
    [{ LLM_TIMEOUT_SECONDS: '0' }, 'invalid value of LLM_TIMEOUT_SECONDS'],
    [
      { LLM_CONCURRENCY: '1.5', LLM_TIMEOUT_SECONDS: 'soon' },
      'invalid value of LLM_TIMEOUT_SECONDS and LLM_CONCURRENCY',
    ],
  ])('%o: not available', async (settings, reason) => {
    const env = envFor(server, settings);
    expect(onlyModel(engine, env).availability).toEqual({ available: false, reason });
    await expect(engine.open(env, 'openai-compatible')).rejects.toMatchObject({ code: 'engine_unavailable' });
  });

  it('empty variables count as unset', () => {
    const env = envFor(server, {
      LLM_CONTEXT_TOKENS: '',
      LLM_TIMEOUT_SECONDS: '',
      LLM_CONCURRENCY: '',
    });
    expect(onlyModel(engine, env).availability).toEqual({ available: true });
  });

  it('the version changes with server, model and window, and contains neither address nor key', () => {
    const versions = [
      {},
      { LLM_MODEL: 'other' },
      { LLM_BASE_URL: 'http://other.example/v1' },
      { LLM_CONTEXT_TOKENS: '4096' },
    ].map((settings) => onlyModel(engine, envFor(server, settings)).version);
    expect(new Set(versions).size).toBe(4);
    expect(versions.join(' ')).not.toMatch(/127|example|sk-/);
    expect(onlyModel(engine, envFor(server, { LLM_API_KEY: 'sk-other' })).version).toBe(versions[0]);
  });
});
