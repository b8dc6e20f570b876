import { z } from 'zod';
import type { AppError } from '@jyutsing/contracts/errors';
import { DEFAULT_TURN_DETECTION, type LiveEvent } from '@jyutsing/contracts/live-recognition';
import { CANDIDATES, type Language } from '@jyutsing/contracts/transcript';
import { readLanguage } from '@jyutsing/text/language-names';
import { checkFields } from '#http/field-fault.ts';
import { parseFields } from '#http/fields.ts';
import { isObject } from '#http/is-object.ts';
import { modelNamed } from '#http/known-model.ts';
import type { LiveProtocol, LiveSocket } from '#http/live/live-connections.ts';
import { openLiveStream, type LiveClient, type LiveSettings } from '#http/live/live-stream.ts';
import { LANGUAGE_CODES } from '#http/openai-transcriptions/language-code.ts';
import type { RealtimeDeps } from '#http/realtime/protocol.ts';
import { withFixedSession } from '#http/realtime/session.ts';
import { controlFieldsOf } from '#http/deepgram/control-message.ts';
import { keyterms } from '#http/deepgram/query.ts';
import { createTurns, type Turn, type TurnThresholds } from './turns.ts';

const Thresholds = z.object({
  eot_threshold: z.coerce.number().min(0.5).max(0.9).optional(),
  eager_eot_threshold: z.coerce.number().min(0.3).max(0.9).optional(),
  eot_timeout_ms: z.coerce.number().min(500).max(10_000).optional(),
});

const names = z
  .string()
  .max(200)
  .transform((name) => [name])
  .or(keyterms);

/** The query of /v2/listen; other fields are ignored. */
const FluxQuery = Thresholds.extend({
  model: z.string().max(200).optional(),
  encoding: z
    .enum(['linear16', 'mulaw', 'alaw'], 'must be linear16, mulaw or alaw')
    .optional()
    .describe('Absent: a file.'),
  sample_rate: z.coerce.number().int().min(8_000).max(96_000).default(16_000),
  keyterm: names.optional(),
  language_hint: names.optional(),
});
export type FluxQuery = z.output<typeof FluxQuery>;

/** Throws `invalid_parameter`. */
export const parseFluxQuery = (query: unknown): FluxQuery => parseFields(FluxQuery, query, 'invalid_parameter');

/** The client of Deepgram sends null for what stays as it is. */
const NewThresholds = z
  .preprocess((fields) => (isObject(fields) ? withoutNulls(fields) : fields), Thresholds)
  .nullish();
const Configure = z.object({
  thresholds: NewThresholds,
  keyterms: keyterms.nullish(),
  language_hints: keyterms.nullish(),
});

type FluxClient = LiveClient & { query: FluxQuery; requestId: string };

/** A shorter pause does not end a stretch of speech, of which a turn may have several. */
const STRETCH_PAUSE_MS = 300;

/** Deepgram's Flux: turns of a conversation, which end by the pause and by what was said. */
export function createFluxProtocol(deps: RealtimeDeps, client: FluxClient, connection: LiveSocket): LiveProtocol {
  const { query: initial, requestId, ...listener } = client;
  let query = initial;
  let sequence = 0;
  const send = (message: { type: string } & Record<string, unknown>) => {
    connection.send({ ...message, request_id: requestId, sequence_id: sequence });
    sequence += 1;
  };
  const modelOf = (name: string) => modelNamed(deps.models, 'recognizer', name).name;
  const settingsFor = (chosen: FluxQuery) =>
    withFixedSession(settingsOf(chosen, modelOf), client.caller.fixedSession, modelOf);
  const turns = createTurns(
    () => thresholdsOf(query),
    (turn) => send(viewTurn(turn)),
  );
  const onEvent = (event: LiveEvent) => {
    if (event.type === 'segment-failed')
      send({ type: 'Error', code: event.error.code, description: event.error.message });
    turns.take(event, stream.seconds() * 1_000);
  };
  const stream = openLiveStream(deps, listener, settingsFor(query), { onEvent, onFailure: connection.fail });
  const configure = (fields: unknown) => {
    const checked = checkFields(Configure, fields, (path) => `The field "${path}"`);
    if (checked.fault !== null)
      return send({ type: 'ConfigureFailure', code: 'INVALID_CONFIGURATION', description: checked.fault });
    const data = checked.value;
    query = {
      ...query,
      ...data.thresholds,
      ...(data.keyterms == null ? {} : { keyterm: data.keyterms }),
      ...(data.language_hints == null ? {} : { language_hint: data.language_hints }),
    };
    stream.configure(settingsFor(query));
    const { eot_threshold, eager_eot_threshold, eot_timeout_ms, keyterm = [] } = query;
    send({
      type: 'ConfigureSuccess',
      thresholds: { eot_threshold, eager_eot_threshold, eot_timeout_ms },
      keyterms: keyterm,
    });
  };

  send({ type: 'Connected' });
  return {
    async receive(message, isBinary) {
      if (isBinary) {
        await stream.write(message);
        turns.heard(stream.seconds() * 1_000);
        return;
      }
      const fields = controlFieldsOf(message);
      const type = fields?.['type'];
      if (type === 'CloseStream') connection.close();
      else if (type === 'ForceEndTurn') await stream.commit();
      else if (type === 'Configure') configure(fields);
      else if (type !== 'KeepAlive') {
        const description = 'Unknown message; send "Configure", "ForceEndTurn" or "CloseStream".';
        send({ type: 'Warning', code: 'UNKNOWN_MESSAGE', description });
      }
    },
    async finish() {
      await stream.end();
      turns.finish(stream.seconds() * 1_000);
    },
    refuse: ({ code, message }: AppError) => send({ type: 'Error', code, description: message }),
    [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
  };
}

function thresholdsOf(query: FluxQuery): TurnThresholds {
  const { eot_threshold: end = 0.7, eager_eot_threshold: eager, eot_timeout_ms: timeoutMs = 5_000 } = query;
  return { eager: eager ?? null, end, timeoutMs };
}

function settingsOf(query: FluxQuery, modelOf: (name: string) => string | null): LiveSettings {
  const { model, encoding, sample_rate: sampleRateHz, keyterm = [], language_hint: hints = [] } = query;
  const named = hints.flatMap((hint) => readLanguage(hint) ?? []);
  const [only] = named;
  const possible: Language[] = [...new Set(named.flatMap((choice) => CANDIDATES[choice]))];
  return {
    format: encoding === undefined ? { encoding: 'container' } : { encoding, sampleRateHz, channels: 1 },
    language: named.length === 1 && only !== undefined ? only : 'auto',
    languages: named.length > 1 && possible.length > 0 ? possible : null,
    context: keyterm.length === 0 ? null : keyterm.join('、'),
    model: model === undefined ? null : modelOf(model),
    turnDetection: { ...DEFAULT_TURN_DETECTION, silenceMs: STRETCH_PAUSE_MS },
  };
}

const secondsOf = (ms: number | null) => (ms === null ? undefined : ms / 1_000);

function viewTurn({ event, index, startMs, endMs, text, words, confidence, languages, trigger }: Turn) {
  return {
    type: 'TurnInfo',
    event,
    turn_index: index,
    audio_window_start: startMs / 1_000,
    audio_window_end: endMs / 1_000,
    transcript: text,
    words: words.map((word) => ({
      word: word.text,
      confidence: word.confidence ?? 0,
      start: secondsOf(word.startMs),
      end: secondsOf(word.endMs),
    })),
    end_of_turn_confidence: Math.round(confidence * 1_000) / 1_000,
    ...(languages.length === 0 ? {} : { languages: languages.map((language) => LANGUAGE_CODES[language]) }),
    ...(trigger === null ? {} : { trigger }),
  };
}

const withoutNulls = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
