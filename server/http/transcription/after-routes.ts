import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { CompletedTranscription } from '@jyutsing/contracts/transcription';
import type {
  AboutSegment,
  answerQuestion,
  Statement,
  writeAbout,
} from '#features/after-transcript/about-transcript.ts';
import {
  ABOUT_KINDS,
  STATEMENT_ROLES,
  TEXT_LANGUAGES,
  TRANSLATION_CHOICES,
} from '#features/after-transcript/text-choices.ts';
import {
  beginTranslation,
  creditsFor,
  sourceOf,
  stateOf,
  translatedSegments,
} from '#features/after-transcript/translate-transcript.ts';
import { shownTranscript } from '#features/transcription/shown-transcript.ts';
import type { ServerDeps } from '#http/deps.ts';
import { formText } from '#http/fields.ts';
import { jsonBody } from '#http/json-body.ts';
import { withQuota } from '#http/quota.ts';
import { noBody, type AddRoute } from '#http/route.ts';
import type { RouteContext } from '#http/request-context.ts';
import type { StoredTranslation } from '#store/repositories/translations.ts';
import { findRecord } from './find-record.ts';
import { linesOf } from './lines-of-text.ts';
import { RecordParams } from './record-schema.ts';
import { completedRecordOf } from './transcript-file.ts';

const TAGS = ['After a transcript'];
const AUTH = { scope: 'stt', rateLimit: 'request' } as const;
const QUOTA = { unit: 'video_summaries', whenClientLeaves: 'release' } as const;
const MODEL_ERRORS = [
  'not_found',
  'conflict',
  'quota_exceeded',
  'language_model_failed',
  'language_model_required',
  'invalid_parameter',
] as const;
const BODY_ERRORS = ['payload_too_large', 'unsupported_media_type'] as const;
/** A day of speech. */
const MAX_TEXT_CHARACTERS = 1_000_000;
const MAX_BODY_BYTES = 4 * 1024 ** 2;

type RouteDeps = Pick<ServerDeps, 'languageModels' | 'logger' | 'store'>;

const languageOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, `must be one of ${names.join(', ')}`);

const TranslationBody = z.object({ language: languageOf(TRANSLATION_CHOICES) }).meta({ id: 'NewTranslation' });
const TranslationView = z
  .object({
    language: languageOf(TRANSLATION_CHOICES),
    status: z
      .enum(['processing', 'completed', 'failed', 'outdated'])
      .describe('`outdated`: the transcript was edited.'),
    done: z.number().describe('Segments that are translated.'),
    total: z.number(),
    error: z.string().optional().describe('The reason, when failed.'),
    error_code: z.string().optional(),
  })
  .meta({ id: 'Translation' });
const TranslationAnswer = z
  .object({ success: z.literal(true), translation: TranslationView })
  .meta({ id: 'TranslationAnswer' });
const TranslationsAnswer = z
  .object({ success: z.literal(true), translations: z.array(TranslationView) })
  .meta({ id: 'Translations' });

const kind = z.enum(ABOUT_KINDS, `must be one of ${ABOUT_KINDS.join(', ')}`).default('summary');
const language = languageOf(TEXT_LANGUAGES).default('cantonese').describe('The language of the answer.');
const question = formText(1_000, 'The question.').refine((text) => text.trim() !== '', 'must not be empty');
const transcript = formText(MAX_TEXT_CHARACTERS, 'The text, a line for each sentence.').refine(
  (text) => text.trim() !== '',
  'must not be empty',
);
const title = formText(200, 'The title of the text.').optional();
const SummaryBody = z.object({ kind, language }).meta({ id: 'NewTranscriptSummary' });
const QuestionBody = z.object({ question, language }).meta({ id: 'TranscriptQuestion' });
const TextSummaryBody = SummaryBody.extend({ transcript, title }).meta({ id: 'NewTextSummary' });
const TextQuestionBody = QuestionBody.extend({ transcript, title }).meta({ id: 'TextQuestion' });

const Source = z.object({
  start: z.number().nullable().describe('Seconds; null in a text without times.'),
  end: z.number().nullable(),
  text: z.string(),
  speaker: z.string().nullable(),
});
const TextAnswer = z
  .object({
    success: z.literal(true),
    text: z.string().describe('All statements; empty when the transcript does not answer the question.'),
    statements: z.array(z.object({ text: z.string(), role: z.enum(STATEMENT_ROLES), sources: z.array(Source) })),
    sources: z.array(Source).describe('All segments that say so, in order.'),
  })
  .meta({ id: 'TextAboutTranscript' });

/** Translations of transcripts, and texts about them. */
export function addAfterRoutes(addRoute: AddRoute, deps: RouteDeps): void {
  addTranslationRoutes(addRoute, deps);
  addRecordTextRoutes(addRoute, deps);
  addOwnTextRoutes(addRoute, deps);
}

function addTranslationRoutes(addRoute: AddRoute, deps: RouteDeps): void {
  const { translations } = deps.store;
  addRoute({
    method: 'POST',
    paths: ['/api/speech-to-text/:id/translations'],
    docs: {
      tags: TAGS,
      operationId: 'translateTranscription',
      summary: 'Translate a transcript',
      description:
        'One text for each segment, whose times stay. Answers when the work has begun. One summary credit for each started 30 minutes; none while one is made or there is one already.',
      params: RecordParams,
      ok: TranslationAnswer,
      errors: [...MODEL_ERRORS, ...BODY_ERRORS],
    },
    auth: AUTH,
    body: jsonBody(TranslationBody, { keyFirst: 'header' }),
    async run(context) {
      const { caller, input } = context;
      const record = completedRecordOf(await findRecord(deps, context));
      const source = sourceOf(translatedSegments(record));
      const place = { transcriptionId: record.id, language: input.language };
      const present = await translations.find(place);
      const state = present === null ? 'failed' : stateOf(present, source, Date.now());
      if (state === 'failed' || state === 'outdated') {
        const charge = { ...QUOTA, caller, amount: creditsFor(record), hasLeft: () => false };
        const choice = { language: input.language, replaces: present?.workId ?? null };
        await beginTranslation({ models: deps.languageModels, translations }, record, choice, (work) =>
          withQuota(deps, charge, work),
        );
      }
      return { stored: await translations.find(place), source };
    },
    answer({ stored, source }) {
      if (stored === null) throw new AppError('not_found', 'The transcription was deleted meanwhile.');
      return { success: true, translation: viewTranslation(stored, source) };
    },
  });
  addRoute({
    method: 'GET',
    paths: ['/api/speech-to-text/:id/translations'],
    docs: {
      tags: TAGS,
      operationId: 'listTranslations',
      summary: 'The translations of a transcript',
      description: 'Their states; files have the texts with `language=…`.',
      params: RecordParams,
      ok: TranslationsAnswer,
      errors: ['not_found', 'conflict'],
    },
    auth: { scope: 'stt', rateLimit: 'poll' },
    body: noBody,
    async run(context) {
      const record = completedRecordOf(await findRecord(deps, context));
      return { source: sourceOf(translatedSegments(record)), stored: await translations.list(record.id) };
    },
    answer: ({ source, stored }) => ({
      success: true,
      translations: stored.map((translation) => viewTranslation(translation, source)),
    }),
  });
}

function viewTranslation(stored: StoredTranslation, source: string): z.output<typeof TranslationView> {
  const status = stateOf(stored, source, Date.now());
  const { error, done, total } = stored;
  const reason = error ?? { code: 'timed_out', message: 'The translation was interrupted; ask for it again.' };
  return {
    language: TranslationView.shape.language.parse(stored.language),
    status,
    done,
    total,
    ...(status === 'failed' ? { error: reason.message, error_code: reason.code } : {}),
  };
}

function addRecordTextRoutes(addRoute: AddRoute, deps: RouteDeps): void {
  const docs = { tags: TAGS, params: RecordParams, ok: TextAnswer, errors: [...MODEL_ERRORS, ...BODY_ERRORS] };
  const description =
    'Each statement has the segments that say so; what no segment says is left out. One summary credit, given back on failure.';
  addRoute({
    method: 'POST',
    paths: ['/api/speech-to-text/:id/summary'],
    docs: {
      ...docs,
      operationId: 'summarizeTranscription',
      summary: 'Summary, minutes or chapters of a transcript',
      description,
    },
    auth: AUTH,
    quota: QUOTA,
    body: jsonBody(SummaryBody, { keyFirst: 'header' }),
    async run(context) {
      const record = completedRecordOf(await findRecord(deps, context));
      const about = { segments: segmentsOf(record), title: record.title, language: context.input.language };
      return writeText(deps, context, about, ({ writeAbout: write, work }) => write(work, context.input.kind));
    },
  });
  addRoute({
    method: 'POST',
    paths: ['/api/speech-to-text/:id/questions'],
    docs: { ...docs, operationId: 'askTranscription', summary: 'Ask a transcript', description },
    auth: AUTH,
    quota: QUOTA,
    body: jsonBody(QuestionBody, { keyFirst: 'header' }),
    async run(context) {
      const record = completedRecordOf(await findRecord(deps, context));
      const about = { segments: segmentsOf(record), title: record.title, language: context.input.language };
      return writeText(deps, context, about, ({ answerQuestion: answer, work }) =>
        answer(work, context.input.question),
      );
    },
  });
}

function addOwnTextRoutes(addRoute: AddRoute, deps: RouteDeps): void {
  const docs = { tags: TAGS, ok: TextAnswer, errors: [...MODEL_ERRORS, ...BODY_ERRORS] };
  const reading = { keyFirst: 'header', maxBytes: MAX_BODY_BYTES } as const;
  addRoute({
    method: 'POST',
    paths: ['/api/text/summary'],
    docs: { ...docs, operationId: 'summarizeText', summary: 'Summary, minutes or chapters of a text' },
    auth: AUTH,
    quota: QUOTA,
    body: jsonBody(TextSummaryBody, reading),
    async run(context) {
      const { transcript: text, title: textTitle = null, ...input } = context.input;
      const about = { segments: await linesOf(text), title: textTitle, language: input.language };
      return writeText(deps, context, about, ({ writeAbout: write, work }) => write(work, input.kind));
    },
  });
  addRoute({
    method: 'POST',
    paths: ['/api/text/questions'],
    docs: { ...docs, operationId: 'askText', summary: 'Ask a text' },
    auth: AUTH,
    quota: QUOTA,
    body: jsonBody(TextQuestionBody, reading),
    async run(context) {
      const { transcript: text, title: textTitle = null, ...input } = context.input;
      const about = { segments: await linesOf(text), title: textTitle, language: input.language };
      return writeText(deps, context, about, ({ answerQuestion: answer, work }) => answer(work, input.question));
    },
  });
}

type Work = Parameters<typeof writeAbout>[0];
type About = Omit<Work, 'model' | 'signal'>;
type Writers = { writeAbout: typeof writeAbout; answerQuestion: typeof answerQuestion };

async function writeText(
  { languageModels }: RouteDeps,
  context: RouteContext<unknown>,
  about: About,
  write: (writers: Writers & { work: Work }) => Promise<Statement[]>,
): Promise<z.output<typeof TextAnswer>> {
  const model = await languageModels.open();
  const writers = await import('#features/after-transcript/about-transcript.ts');
  const statements = await context.charge(1, () =>
    languageModels.run(context.connection.signal, (signal) => write({ ...writers, work: { ...about, model, signal } })),
  );
  const sourcesOf = (indices: readonly number[]) => indices.flatMap((index) => viewSource(about.segments[index]));
  const all = [...new Set(statements.flatMap(({ sources }) => sources))].toSorted((a, b) => a - b);
  return {
    success: true,
    text: statements.map(({ text }) => text).join('\n'),
    statements: statements.map(({ text, role, sources }) => ({ text, role, sources: sourcesOf(sources) })),
    sources: sourcesOf(all),
  };
}

const seconds = (timeMs: number | null) => (timeMs === null ? null : timeMs / 1_000);

function viewSource(segment: AboutSegment | undefined): z.output<typeof Source>[] {
  if (segment === undefined) return [];
  const { text, startMs, endMs, speaker } = segment;
  return [{ start: seconds(startMs), end: seconds(endMs), text, speaker }];
}

function segmentsOf(record: CompletedTranscription): AboutSegment[] {
  const { segments, names } = shownTranscript(record, { text: 'final', version: 'edited' });
  return segments
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, startMs, endMs, speaker }) => ({
      text,
      startMs,
      endMs,
      speaker: speaker === null ? null : (names.get(speaker) ?? speaker),
    }));
}
