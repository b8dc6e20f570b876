import type { FastifyRequest } from 'fastify';
import type { Strictness } from '@jyutsing/contracts/pronunciation';
import type { Language } from '@jyutsing/contracts/transcript';
import { AppError, toAppError } from '@jyutsing/contracts/errors';
import { presentScore } from '#features/pronunciation/present-score.ts';
import type { ScoredRecording } from '#features/pronunciation/score-recording.ts';
import { abortOnDisconnect } from '#http/client-connection.ts';
import type { ServerDeps } from '#http/deps.ts';
import { formBody, missingFile } from '#http/form-body.ts';
import type { LimitUploads } from '#http/upload-limits.ts';
import type { AddRoute } from '#http/route.ts';
import { score } from '#workers/tasks/score.ts';
import { EXAMPLE } from './example.ts';
import { openRegister } from './speaker-register.ts';
import { FIELD_NAMES, parseScoreForm, ScoreAnswer, ScoreForm } from './schema.ts';

/** "max 10MB" of the interface, in binary megabytes. */
export const MAX_RECORDING_BYTES = 10 * 1024 ** 2;
/** Many clients send their key after the file, and a class of learners sends at the same time. */
const ANONYMOUS_FILES = 16;

const DESCRIPTION = `Compares the recording with the text. Reports for every syllable (Cantonese, Mandarin) or word (English) what was
expected, what was recognized and a score. All accepted readings of a character count. The recording is deleted as soon as it is scored.`;

type ScoreInput = {
  path: string;
  text: string;
  language: Language;
  strictness: Strictness;
  speaker: string | null;
};
type RouteDeps = Pick<ServerDeps, 'models' | 'workers' | 'metrics' | 'store' | 'logger' | 'isReady'> & {
  limitUploads: LimitUploads;
};

/** Pronunciation scoring. */
export function addPronunciationRoute(addRoute: AddRoute, deps: RouteDeps): void {
  addRoute({
    method: 'POST',
    // Apps of learners and clients of the hosted service call the other paths.
    paths: [
      '/api/score-pronunciation',
      '/api/learn-cantonese/score-pronunciation',
      '/score-pronunciation',
      '/api/score',
    ],
    docs: {
      tags: ['Pronunciation'],
      operationId: 'scorePronunciation',
      summary: 'Score the pronunciation of a text',
      description: DESCRIPTION,
      ok: {
        description: 'The score.',
        content: { 'application/json': { schema: ScoreAnswer.meta({ examples: [EXAMPLE] }) } },
      },
      errors: [
        'missing_file',
        'text_not_readable',
        'payload_too_large',
        'unsupported_media_type',
        'corrupt_audio',
        'empty_audio',
        'no_speech',
        'audio_too_long',
        'engine_failed',
        'engine_unavailable',
        'timed_out',
      ],
    },
    auth: { scope: 'pronunciation', rateLimit: 'request' },
    concurrent: 'scores',
    config: { role: 'score' },
    body: formBody<ScoreInput>({
      docs: { form: ScoreForm },
      fileField: 'audio',
      fieldNames: FIELD_NAMES,
      limits: deps.limitUploads(MAX_RECORDING_BYTES, ANONYMOUS_FILES),
      parse({ fields, file }) {
        if (file === null) throw missingFile('recording', 'audio');
        const request = parseScoreForm(fields);
        if (file.sizeBytes === 0) throw new AppError('empty_audio', 'The audio file is empty.');
        return { path: file.path, ...request };
      },
      parseOther: refuseOther,
    }),
    run: ({ caller, input, reply }) => runScore(input, caller.account.id, deps, abortOnDisconnect(reply)),
    answer: (scored, { input }) => presentScore(scored, input.text),
  });
}

async function runScore(
  { speaker, ...call }: ScoreInput,
  accountId: string,
  { models, workers, metrics, store, logger, isReady }: RouteDeps,
  signal: AbortSignal,
): Promise<ScoredRecording> {
  const { language } = call;
  const startedMs = performance.now();
  let outcome = 'scored';
  try {
    const model = models.select('pronunciation-assessor');
    const register = await openRegister(store.speakerRegisters, { accountId, speaker, language });
    const scored = await workers.run(score, { ...call, register: register.known, model }, accountId, signal);
    await register.save(scored.assessment).catch((error: unknown) => {
      logger.warn({ err: error }, 'the register of a speaker could not be saved');
    });
    return scored;
  } catch (thrown) {
    const refusal = signal.aborted ? toAppError(signal.reason) : refusalOf(toAppError(thrown), isReady());
    outcome = refusal.code;
    throw refusal;
  } finally {
    metrics.pronunciationScores.inc({ language, outcome });
    if (outcome === 'scored') {
      metrics.pronunciationSeconds.observe({ language }, (performance.now() - startedMs) / 1_000);
    }
  }
}

/** Error codes in which this interface differs from the rest of the service. */
function refusalOf(error: AppError, isReady: boolean): AppError {
  // Apps read 422 as "record it again", and 415 as a mistake in their program.
  if (error.code === 'unsupported_audio_format') {
    return new AppError('corrupt_audio', error.message, { cause: error });
  }
  // The worker process was killed while the service itself is running.
  if (error.code === 'service_unavailable' && isReady) {
    return new AppError('internal_error', 'The scoring was interrupted; send the recording again.', { cause: error });
  }
  return error;
}

function refuseOther({ headers }: FastifyRequest): never {
  if (headers['content-type'] === undefined) throw missingFile('recording', 'audio');
  throw new AppError(
    'unsupported_media_type',
    'Send multipart/form-data with the recording as the file "audio" and its text in the field "text".',
  );
}
