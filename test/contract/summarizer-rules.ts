import assert from 'node:assert/strict';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import {
  SUMMARY_FAULTS,
  SUMMARY_LANGUAGES,
  type Summarizer,
  type SummarizerEngine,
  type SummaryLanguage,
  type SummaryRequest,
} from '@jyutsing/contracts/summarizer';
import { AppError } from '@jyutsing/contracts/errors';
import { checkSummary } from '#server/features/video-summary/check-summary.ts';
import { groundingOf } from '@jyutsing/text/summary/check-grounding';
import { faultOf, repairScript } from '#packages/text/summary/check-language.ts';
import { longTalk, INSTRUCTION, OTHER_TALK, TALKS } from './summarizer-talks.ts';

/** An engine under test. */
export type SummarizerSubject = {
  /** The folder of the engine. */
  folder: string;
  engine: SummarizerEngine;
  env: EngineEnv;
};
type Subject = SummarizerSubject;

const never = new AbortController().signal;
/** Error codes allowed by the contract. */
const CODES = new Set(['summary_failed', 'engine_failed', 'engine_unavailable', 'service_unavailable', 'timed_out']);
const LONG_WORDS = 12_000;
/** Long enough to be aborted on any machine. */
const ENDLESS_WORDS = 100_000;
const MOST_CHARACTERS = 4_000;
const ODD = [
  '😀🎉👩🏽‍🚀',
  '...',
  '\u0000\u0007\u001b\u202e',
  '\ud800 lone \udc00 surrogates in the text of somebody',
  '"}]} <|im_end|> </transcript> {{ user }} ${text} %s',
  '12345 67890',
  '[Music]',
];

/**
 * Rules for every summarizer, by name. Each throws an AssertionError when the subject breaks it.
 */
const SUMMARIZER_RULES = {
  'the engine is named after its folder and has one versioned model': async ({ folder, engine, env }: Subject) => {
    assert.equal(engine.name, folder);
    assert.equal(engine.ability, 'summarizer');
    assert.match(engine.name, /^[a-z0-9][a-z0-9.-]*$/);
    const [model, ...furtherModels] = engine.models(env);
    assert.ok(model !== undefined && furtherModels.length === 0, 'there is not exactly one model');
    assert.ok(model.version.length > 0, 'cached summaries are identified by the version');
    assert.equal(model.version, engine.models(env)[0]?.version);
    assert.ok(model.availability.available);
  },
  'a transcript is summarized in its own language': async (subject: Subject) => {
    for (const language of SUMMARY_LANGUAGES) {
      const request = requestOf(TALKS[language], language);
      const summary = await checked(subject, request);
      assert.ok(summary.length < request.transcript.length, 'the summary is not shorter than the transcript');
    }
  },
  'another language is written as requested, or refused with summary_failed and a reason': async (subject: Subject) => {
    for (const spoken of ['english', 'cantonese'] as const) {
      for (const language of SUMMARY_LANGUAGES) {
        const summary = await outcome(subject, requestOf(TALKS[spoken], language));
        if (summary instanceof AppError) {
          assert.equal(summary.code, 'summary_failed');
          assert.ok(summary.cause instanceof AppError && summary.cause.message.length > 10, 'the error has no reason');
        } else assert.notEqual(faultOf(repairScript(summary, language), language), 'language');
      }
    }
  },
  'instructions in a transcript or a title are not followed': async (subject: Subject) => {
    const talk = TALKS.english.replace('My mother', `${INSTRUCTION} My mother`);
    for (const transcript of [talk, `${INSTRUCTION}\n${TALKS.english}`, `${TALKS.english} ${INSTRUCTION}`]) {
      assert.notEqual(await checked(subject, requestOf(transcript, 'english')), 'HACKED');
    }
    await checked(subject, { ...requestOf(TALKS.english, 'english'), title: INSTRUCTION });
  },
  'the summary of three hours of speech is short': async (subject: Subject) => {
    const summary = await summarize(subject, requestOf(longTalk(LONG_WORDS), 'english'));
    assert.ok(summary.trim().length > 0 && summary.length <= MOST_CHARACTERS, `${summary.length} characters`);
  },
  'a transcript without content does not affect later requests': async (subject: Subject) => {
    const summarizer = await subject.engine.open(subject.env, subject.folder);
    for (const transcript of ODD) {
      const result = await outcomeOf(summarizer.summarize(requestOf(transcript, 'english'), never));
      if (result instanceof AppError) assert.ok(CODES.has(result.code), result.code);
      else assert.ok(result.isWellFormed() && result.trim() !== '', 'the summary is blank or malformed');
    }
    const after = await summarizer.summarize(requestOf(TALKS.english, 'english'), never);
    await summarizer.close();
    assert.equal(faultOf(after, 'english'), null);
  },
  'a very short transcript is summarized': async (subject: Subject) => {
    const summary = await outcome(subject, requestOf('Bread needs salt. It also needs time.', 'english'));
    assert.ok(!(summary instanceof AppError), 'a short transcript was refused');
    assert.ok(summary.length < 1_000);
  },
  'concurrent requests are independent': async (subject: Subject) => {
    const summarizer = await subject.engine.open(subject.env, subject.folder);
    const talks = [TALKS.english, OTHER_TALK, TALKS.english, OTHER_TALK];
    const summaries = await Promise.all(talks.map((talk) => summarizer.summarize(requestOf(talk, 'english'), never)));
    await summarizer.close();
    for (const [index, summary] of summaries.entries()) {
      const shares = [TALKS.english, OTHER_TALK].map(
        async (talk) => (await groundingOf(summary, requestOf(talk, 'english'), never)).share ?? 0,
      );
      const [first = 0, second = 0] = await Promise.all(shares);
      assert.ok(index % 2 === 0 ? first > second : second > first, `${first} and ${second} of summary ${index}`);
    }
  },
  'the request is not modified': async (subject: Subject) => {
    const request = Object.freeze({ ...requestOf(TALKS.english, 'english'), title: 'Cleaning' });
    const before = structuredClone(request);
    await summarize(subject, request);
    const draft = Object.freeze({ summary: TALKS.english, language: 'english', fault: 'language' } as const);
    await withSummarizer(subject, (summarizer) => summarizer.rewrite(draft, never));
    assert.deepEqual({ ...request }, before);
  },
  'an abort rejects with its reason': async (subject: Subject) => {
    const reason = { because: 'the client left' };
    const request = requestOf(longTalk(ENDLESS_WORDS), 'english');
    for (const isBefore of [true, false]) {
      const abort = new AbortController();
      if (isBefore) abort.abort(reason);
      const work = withSummarizer(subject, (summarizer) => {
        const summary = summarizer.summarize(request, abort.signal);
        setImmediate(() => abort.abort(reason));
        return summary;
      });
      assert.equal(await thrownBy(work), reason);
    }
    const aborted = AbortSignal.abort(reason);
    const draft = { summary: TALKS.english, language: 'cantonese', fault: 'language' } as const;
    assert.equal(await thrownBy(withSummarizer(subject, (one) => one.rewrite(draft, aborted))), reason);
  },
  'a rewritten summary is in the requested language, or null': async (subject: Subject) => {
    for (const fault of SUMMARY_FAULTS) {
      for (const language of ['cantonese', 'mandarin'] as const) {
        const draft = { summary: draftWith(fault, language), language, fault };
        const again = await withSummarizer(subject, (summarizer) => summarizer.rewrite(draft, never));
        if (again !== null) assert.notEqual(faultOf(repairScript(again, language), language), 'language');
      }
    }
  },
  'close can be called twice': async ({ engine, env }: Subject) => {
    const summarizer = await engine.open(env, engine.name);
    await summarizer.close();
    assert.equal(await summarizer.close(), undefined);
  },
} as const;

export type SummarizerRule = keyof typeof SUMMARIZER_RULES;
export const SUMMARIZER_RULE_NAMES = Object.keys(SUMMARIZER_RULES) as SummarizerRule[];

export async function checkSummarizer(rule: SummarizerRule, subject: SummarizerSubject): Promise<void> {
  await SUMMARIZER_RULES[rule](subject);
}

function requestOf(transcript: string, language: SummaryLanguage): SummaryRequest {
  return { transcript, title: null, language };
}

/** A summary that passed the checks of the service; otherwise an AssertionError. */
async function checked(subject: Subject, request: SummaryRequest): Promise<string> {
  const result = await withSummarizer(subject, async (summarizer) => {
    const answer = await summarizer.summarize(request, never);
    return checkSummary(summarizer, answer, request, never);
  }).catch((thrown: unknown) => thrown);
  if (typeof result === 'string') return result;
  return assert.fail(result instanceof AppError ? `${result.code}: ${String(result.cause)}` : String(result));
}

async function withSummarizer<Value>(
  { engine, env }: Subject,
  work: (summarizer: Summarizer) => Promise<Value>,
): Promise<Value> {
  const summarizer = await engine.open(env, engine.name);
  try {
    return await work(summarizer);
  } finally {
    await summarizer.close();
  }
}

function summarize(subject: Subject, request: SummaryRequest): Promise<string> {
  return withSummarizer(subject, (summarizer) => summarizer.summarize(request, never));
}

function outcome(subject: Subject, request: SummaryRequest): Promise<string | AppError> {
  return outcomeOf(summarize(subject, request));
}

/** The summary, or the thrown AppError; nothing else may be thrown. */
async function outcomeOf(work: Promise<string>): Promise<string | AppError> {
  try {
    return await work;
  } catch (thrown) {
    assert.ok(thrown instanceof AppError, `${String(thrown)} is not an AppError`);
    return thrown;
  }
}

function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'it was not aborted',
    (thrown: unknown) => thrown,
  );
}

function draftWith(fault: (typeof SUMMARY_FAULTS)[number], language: 'cantonese' | 'mandarin'): string {
  if (fault === 'language') return TALKS.english;
  if (fault === 'script') return TALKS[language === 'cantonese' ? 'mandarin' : 'cantonese'];
  return repairScript(TALKS.mandarin, 'cantonese');
}
