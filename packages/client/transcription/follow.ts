import { ConnectionError, type JyutsingError, RateLimitError, ServerError } from '#client/errors.ts';
import type { components } from '#client/api.ts';
import { readEvents } from '#client/http/events.ts';
import { errorFromBody, type ErrorBody } from '#client/http/read-error.ts';
import { delay, retryDelayMs } from '#client/http/retry.ts';
import type { RequestOptions, Transport } from '#client/http/transport.ts';
import type { TranscriptionRecord } from '#client/types.ts';

/** Progress of a transcription. */
export type TranscriptionProgress = {
  /**
   * Estimated share of the whole work, 0 to 1; it never decreases, and is 1 only when the work is
   * completed.
   */
  fraction: number;
  stage: 'queued' | 'recognition' | 'diarization' | 'fusion' | 'completed';
  /** Seconds of the recording that this stage has processed. */
  processedSeconds: number;
  /** Length of the recording in seconds; 0 while it is unknown. */
  durationSeconds: number;
};

export type FollowOptions = RequestOptions & {
  /** Milliseconds between two polls, when events cannot be received. */
  pollInterval?: number | undefined;
  /** Milliseconds for which the client goes on trying when the server cannot be reached. */
  patience?: number | undefined;
};

type Update = TranscriptionProgress | { record: TranscriptionRecord };
type WireProgress = components['schemas']['TranscriptionProgress'];

const POLL_INTERVAL_MS = 5_000;
/** Default patience in milliseconds, longer than the restart of a server. */
const PATIENCE_MS = 120_000;
/**
 * Milliseconds of silence after which a stream is broken: the server sends something every 15
 * seconds.
 */
const SILENCE_MS = 45_000;

/** Approximate part of the whole work that each stage takes. */
const SPANS: Readonly<Record<WireProgress['stage'], readonly [from: number, to: number]>> = {
  queued: [0, 0],
  recognition: [0, 0.85],
  diarization: [0.85, 0.95],
  fusion: [0.95, 0.99],
};

/**
 * Yields the progress of a transcription until it is final, and then its record. It reads the
 * server's events, and polls when they do not come through. It waits until outages of the server or
 * the network are over.
 */
export async function* followTranscription(
  transport: Transport,
  id: string,
  options: FollowOptions,
): AsyncGenerator<Update, void> {
  const { pollInterval = POLL_INTERVAL_MS, patience = PATIENCE_MS, signal } = options;
  let polls = false;
  let lastContactMs = Date.now();
  let failures = 0;
  let fraction = 0;
  for (;;) {
    try {
      for await (const update of polls ? poll(transport, id, options) : receive(transport, id, options)) {
        lastContactMs = Date.now();
        failures = 0;
        if ('record' in update) {
          yield update;
          if (isFinal(update.record)) return;
        } else {
          fraction = Math.max(fraction, update.fraction);
          yield { ...update, fraction };
        }
      }
      // A stream that ends early, as when the server stops, is opened again.
      await delay(polls ? pollInterval : retryDelayMs(failures, null), signal);
    } catch (failure) {
      if (!isTransient(failure) || Date.now() - lastContactMs > patience) throw failure;
      failures += 1;
      // There are too many streams at a time, or a proxy does not let them through.
      polls ||= failure instanceof RateLimitError || (failure instanceof ConnectionError && failures > 1);
      await delay(retryDelayMs(failures, failure.retryAfterSeconds), signal);
    }
  }
}

export function isFinal({ status }: TranscriptionRecord): boolean {
  return status === 'completed' || status === 'failed';
}

async function* receive(transport: Transport, id: string, options: FollowOptions): AsyncGenerator<Update> {
  const spec = { method: 'GET', path: `/api/speech-to-text/${encodeURIComponent(id)}/events` } as const;
  const request = { timeout: SILENCE_MS, ...options, maxRetries: 0 };
  const { data, response } = await transport.stream(spec, request).withResponse();
  for await (const event of readEvents(data)) {
    if (event.name === 'progress') yield view(event.data as WireProgress);
    else if (event.name === 'error') throw errorFromBody(event.data as ErrorBody, response);
    else if (event.name === 'deleted') throw deleted(id, response);
    else yield { record: event.data as TranscriptionRecord };
  }
}

async function* poll(transport: Transport, id: string, options: FollowOptions): AsyncGenerator<Update> {
  yield { record: await findRecord(transport, id, options) };
}

/** Finds a record. Throws NotFoundError for an unknown id. */
export async function findRecord(
  transport: Transport,
  id: string,
  options?: RequestOptions,
): Promise<TranscriptionRecord> {
  const path = `/api/speech-to-text/${encodeURIComponent(id)}`;
  return (await transport.json<{ transcription: TranscriptionRecord }>({ method: 'GET', path }, options)).transcription;
}

function view({ stage, processed_s: processedSeconds, duration_s: durationSeconds, percent }: WireProgress) {
  const [from, to] = SPANS[stage] ?? [0, 0];
  return { stage, processedSeconds, durationSeconds, fraction: from + ((to - from) * (percent ?? 0)) / 100 };
}

function deleted(id: string, response: Response): JyutsingError {
  const error = { code: 'not_found', type: 'not_found_error', message: `The transcription ${id} was deleted.` };
  return errorFromBody({ error }, response);
}

/**
 * Returns true for a transient failure of the connection or server, as opposed to one of the
 * transcription.
 */
function isTransient(failure: unknown): failure is JyutsingError {
  if (failure instanceof ConnectionError) return true;
  if (failure instanceof RateLimitError) return true;
  return failure instanceof ServerError && failure.code !== 'engine_failed';
}
