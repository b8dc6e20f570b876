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
    (thrown: unknown) =>
      thrown instanceof AppError ? { code: thrown.code, reason: (thrown.cause as Error).message } : thrown,
  );

it('is always available, needs no setting, and has the lowest priority', () => {
  const { version, capabilities, availability } = onlyModel(engine, env);
  expect(availability).toEqual({ available: true });
  expect(capabilities.quality).toBe(10);
  expect(version).not.toBe('');
});

it('copies sentences of the transcript unchanged', async () => {
  const summary = await summarize(ENGLISH, 'english');
  for (const sentence of summary.split(/(?<=\.) /)) expect(ENGLISH).toContain(sentence);
});

it('Cantonese is summarized in both Chinese scripts', async () => {
  expect(await summarize(CANTONESE, 'cantonese')).toMatch(/總掣|隔塵網|散熱片/);
  expect(await summarize(CANTONESE, 'mandarin')).toMatch(/总掣|隔尘网|散热片/);
});

describe('an unsupported language is refused with the settings to change', () => {
  it.each([
    ['korean', ENGLISH, 'Korean from a transcript in English'],
    ['cantonese', ENGLISH, 'Cantonese from a transcript in English'],
    ['english', CANTONESE, 'English from a transcript in Cantonese'],
    ['japanese', CANTONESE, 'Japanese from a transcript in Cantonese'],
    ['english', FRENCH, 'English from a transcript in an unsupported language'],
  ] as const)('%s', async (language, transcript, summaryLanguage) => {
    expect(await refusalOf(summarize(transcript, language))).toEqual({
      code: 'summary_failed',
      reason: `LLM_BASE_URL and LLM_MODEL are not set: the built-in summarizer cannot write ${summaryLanguage}`,
    });
  });
});

it.each(['...', '😀🎉', '12345', '[Music]\n[Music]', '\u0000'])(
  '%j is refused, because it has no sentence',
  async (transcript) => {
    for (const language of SUMMARY_LANGUAGES) {
      expect(await refusalOf(summarize(transcript, language))).toMatchObject({ code: 'summary_failed' });
    }
  },
);

it('rewriting is not supported: the result is null', async () => {
  for (const fault of ['language', 'script', 'wording'] as const) {
    expect(await summarizer.rewrite({ summary: ENGLISH, language: 'cantonese', fault }, never)).toBeNull();
  }
});

it.each([
  ['a megabyte in one line', ENGLISH, 'english', 1_000_000],
  ['an endless sentence', CANTONESE.replaceAll(/[，。]/g, ''), 'cantonese', 60_000],
] as const)('other work continues during the summary of %s', async (_name, text, language, characters) => {
  const transcript = text.repeat(Math.ceil(characters / text.length));
  let yields = 0;
  let isDone = false;
  const count = () => {
    yields += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const before = process.threadCpuUsage();
  await summarize(transcript, language);
  const cpuUsage = process.threadCpuUsage(before);
  isDone = true;
  // Measured in CPU time, because other processes may be busy. A yield is due every 20 ms; 60 ms
  // without one is too long.
  expect(yields).toBeGreaterThanOrEqual(Math.floor((cpuUsage.user + cpuUsage.system) / 1_000 / 60));
});
