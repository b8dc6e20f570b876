import { describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { SUMMARY_LANGUAGES, type SummaryLanguage } from '@jyutsing/contracts/summarizer';
import { engine } from './summarizer.ts';
import { onlyModel } from '#test/only-model.ts';

const env = { builtinModelsDir: '/nowhere', modelsDir: '/nowhere', settings: {} };
const never = new AbortController().signal;
const summarizer = await engine.open(env, 'builtin');
const summarize = (transcript: string, language: SummaryLanguage) =>
  summarizer.summarize({ transcript, title: null, language }, never);

const ENGLISH =
  'Good morning everybody, today we clean the air conditioner. You must switch off the power at the main board before you open the cover. ' +
  'My cat was here a moment ago. The dust filter should be rinsed in warm water every two weeks. The fins need a foaming spray from top to bottom.';
const CANTONESE =
  '大家好，今日教大家洗冷氣機。拆個蓋之前，一定要閂咗個總掣先。隔塵網每兩個禮拜要用暖水沖一次。我隻貓啱啱喺度。啲散熱片要用專用嘅清潔劑由上至下噴。';
const FRENCH =
  "Aujourd'hui nous allons nettoyer le climatiseur. Il faut couper le courant avant d'ouvrir le capot de la machine.";

const refusalOf = (work: Promise<string>) =>
  work.then(
    (summary) => summary,
    (thrown: unknown) => (thrown instanceof AppError ? { code: thrown.code, cause: thrown.cause } : thrown),
  );

it('is always available, needs no setting, and has the lowest priority', () => {
  const { version, capabilities, availability } = onlyModel(engine, env);
  expect(availability).toEqual({ available: true });
  expect(capabilities.quality).toBe(10);
  expect(version).not.toBe('');
});

it('takes sentences of the transcript as they are', async () => {
  const summary = await summarize(ENGLISH, 'english');
  for (const sentence of summary.split(/(?<=\.) /)) expect(ENGLISH).toContain(sentence);
});

it('returns both kinds of Chinese for either, each in its script', async () => {
  expect(await summarize(CANTONESE, 'cantonese')).toMatch(/總掣|隔塵網|散熱片/);
  expect(await summarize(CANTONESE, 'mandarin')).toMatch(/总掣|隔尘网|散热片/);
});

describe('a language that it cannot write is refused, and the log names the setting that would help', () => {
  it.each([
    ['korean', ENGLISH, 'Korean of a transcript in English'],
    ['cantonese', ENGLISH, 'Cantonese of a transcript in English'],
    ['english', CANTONESE, 'English of a transcript in Cantonese'],
    ['japanese', CANTONESE, 'Japanese of a transcript in Cantonese'],
    ['english', FRENCH, 'refuses English for a transcript in another language'],
  ] as const)('%s', async (language, transcript, what) => {
    expect(await refusalOf(summarize(transcript, language))).toEqual({
      code: 'summary_failed',
      cause: `LLM_BASE_URL and LLM_MODEL are not set: the built-in summarizer cannot write ${what}`,
    });
  });
});

it.each(['...', '😀🎉', '12345', '[Music]\n[Music]', '\u0000'])('%j has no summary', async (transcript) => {
  for (const language of SUMMARY_LANGUAGES) {
    expect(await refusalOf(summarize(transcript, language))).toMatchObject({ code: 'summary_failed' });
  }
});

it('copies sentences unchanged', async () => {
  for (const fault of ['language', 'script', 'wording'] as const) {
    expect(await summarizer.rewrite({ summary: ENGLISH, language: 'cantonese', fault }, never)).toBeNull();
  }
});

it.each([
  ['a megabyte in one line', ENGLISH, 'english', 1_000_000],
  ['an endless sentence', CANTONESE.replaceAll(/[，。]/g, ''), 'cantonese', 60_000],
] as const)('lets others have their turn while it reads %s', async (_name, text, language, characters) => {
  const transcript = text.repeat(Math.ceil(characters / text.length));
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const before = process.threadCpuUsage();
  await summarize(transcript, language);
  const used = process.threadCpuUsage(before);
  isDone = true;
  // Count in its own time, not that of a busy machine. A yield is due every 20 ms; 60 ms without
  // one is too long.
  expect(turns).toBeGreaterThanOrEqual(Math.floor((used.user + used.system) / 1_000 / 60));
});
