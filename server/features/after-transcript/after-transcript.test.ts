import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LanguageModel } from '@jyutsing/contracts/language-model';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { startAfterServer, translated, type AfterMode, type AfterServer } from '#test/after-server.ts';
import { answerQuestion, writeAbout } from './about-transcript.ts';
import { translateSegments } from './translate-segments.ts';

let server: AfterServer;
const opened: LanguageModel[] = [];
beforeAll(async () => {
  server = await startAfterServer();
});
beforeEach(() => {
  server.behave('right');
  server.contextTokens(null);
  server.delayMs(0);
  server.questions.length = 0;
});
afterAll(async () => {
  for (const model of opened) await model.close();
  await server.close();
});

async function openModel(variables: Record<string, string> = {}): Promise<LanguageModel> {
  const settings = { LLM_BASE_URL: server.baseUrl, LLM_MODEL: 'qwen3:8b', ...variables };
  const env = { builtinModelsDir: '/nowhere', modelsDir: '/nowhere', settings };
  const engines = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env });
  const model = await engines.open(engines.select('language-model'));
  opened.push(model);
  return model;
}

const WORDS = [
  '今日',
  '我哋',
  '開會',
  '講',
  '預算',
  '同事',
  '聽日',
  '返工',
  '香港',
  '天氣',
  '食飯',
  '時間',
  '計劃',
  '問題',
  '客戶',
];
/** Sentences that all differ. */
const TEXTS = Array.from(
  { length: 70 },
  (_, index) =>
    [3, 5, 7].map((step) => WORDS[(index * step + Math.floor(index / 15) * (step - 2)) % WORDS.length]).join('') +
    '一二三四五六七'[index % 7],
);
const never = new AbortController().signal;
const translate = async (model: LanguageModel, texts: readonly string[] = TEXTS) =>
  translateSegments(model, texts, 'english', { signal: never });

describe('a translation has one text for each segment, in order', () => {
  it('whatever the model skips, repeats, merges, invents or thinks', async () => {
    const model = await openModel();
    const right = TEXTS.map(translated);
    const failing: unknown[] = [];
    for (const mode of ['right', 'skips', 'repeats', 'merges', 'invents', 'thinks', 'fenced'] as const) {
      server.behave((_, { segments }) => (mode === 'repeats' && segments.length === 1 ? 'right' : mode));
      const texts = await translate(model);
      const wrong = texts.flatMap((text, index) => (text === right[index] ? [] : [[index, text]]));
      if (texts.length !== TEXTS.length || wrong.length > 0) failing.push([mode, wrong.slice(0, 3)]);
    }
    expect(failing).toEqual([]);
  });

  it('however short the model makes it', async () => {
    server.behave(() => 'shortens');
    const long = TEXTS.slice(0, 8).map((text) => text.repeat(6));
    expect(await translate(await openModel(), long)).toEqual(long.map(translated));
  });

  it('when only some of the questions go wrong', async () => {
    const modes: AfterMode[] = ['skips', 'broken', 'apologizes', 'untranslated', 'merges'];
    server.behave((index) => modes[index] ?? 'right');
    expect(await translate(await openModel())).toEqual(TEXTS.map(translated));
  });

  it('in a window that is smaller than it is said to be', async () => {
    server.contextTokens(1_500);
    expect(await translate(await openModel())).toEqual(TEXTS.map(translated));
  });

  it('and leaves marks without words as they are', async () => {
    expect(await translate(await openModel(), ['…', '', '好'])).toEqual(['…', '', translated('好')]);
  });
});

it('a translation that cannot be made fails with the reason', async () => {
  const model = await openModel();
  const reasons: [AfterMode, RegExp][] = [
    ['refuses', /refused/],
    ['apologizes', /no usable form/],
    ['thinks-only', /thinking used up the whole answer; set LLM_REASONING=off/],
    ['untranslated', /no translation of 70 of 70 segments, the first of them/],
    ['broken', /cut off|no usable form/],
  ];
  for (const [mode, reason] of reasons) {
    server.behave(mode);
    await expect([mode, await translate(model).catch((failure: unknown) => failure)]).toMatchObject([
      mode,
      { code: 'language_model_failed', message: expect.stringMatching(reason) },
    ]);
  }
  const slow = await openModel({ LLM_TIMEOUT_SECONDS: '0.2' });
  server.behave('right');
  server.delayMs(2_000);
  await expect(translate(slow)).rejects.toMatchObject({ code: 'timed_out' });
});

describe('texts about a transcript', () => {
  const segments = TEXTS.map((text, index) => ({
    text,
    startMs: index * 3_000,
    endMs: index * 3_000 + 2_500,
    speaker: 'SPEAKER_00',
  }));
  const about = async (variables: Record<string, string> = {}) => ({
    model: await openModel(variables),
    segments,
    language: 'cantonese' as const,
    title: '例會',
    signal: never,
  });

  it('have sources for every statement, and nothing that the transcript does not say', async () => {
    server.behave('invents');
    const statements = await writeAbout(await about(), 'minutes');
    expect(statements.length).toBeGreaterThan(3);
    for (const { text, sources } of statements) {
      expect(text).toBe(`佢哋講到${segments[sources[0]!]!.text}`);
    }
  });

  it('cover a transcript that is longer than the window', async () => {
    server.contextTokens(1_500);
    const statements = await writeAbout(await about(), 'summary');
    expect(statements.at(-1)?.sources[0]).toBeGreaterThan(55);
    expect(server.questions.length).toBeGreaterThan(3);
  });

  it('answer a question from the segments that say it, or say that none does', async () => {
    const work = await about();
    const [answer] = await answerQuestion(work, `${TEXTS[7]}？`);
    expect(TEXTS[answer!.sources[0]!]!.slice(0, 2)).toBe(TEXTS[7]!.slice(0, 2));
    expect(await answerQuestion(work, '火星幾遠？')).toEqual([]);
  });

  it('fail with the reason when every statement is invented', async () => {
    server.behave('apologizes');
    await expect(writeAbout(await about(), 'summary')).rejects.toMatchObject({ code: 'language_model_failed' });
  });
});
