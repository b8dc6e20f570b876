import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { DEFAULT_TURN_DETECTION, type TurnDetection } from '@jyutsing/contracts/live-recognition';
import { CANDIDATES, type Language, type LanguageChoice } from '@jyutsing/contracts/transcript';
import { readLanguage } from '@jyutsing/text/language-names';
import type { SoundFormat } from '#features/live/sound-input.ts';
import { checkFields } from '#http/field-fault.ts';
import { isObject } from '#http/is-object.ts';
import type { LiveSettings } from '#http/live/live-stream.ts';

const languageName = z.string().max(100);
const isKnown = (name: string) => readLanguage(name) !== null;
/** Unknown languages are left out: many clients end at any `error`, and send what they offer. */
const spoken = languageName.nullish().transform((name) => (typeof name === 'string' && !isKnown(name) ? null : name));
const possible = z
  .array(languageName)
  .max(20)
  .nullish()
  .transform((names) => names?.filter(isKnown));

const milliseconds = z.number().min(0).max(10_000);

const ServerVad = z.object({
  type: z.literal('server_vad'),
  threshold: z.number().min(0).max(1).default(DEFAULT_TURN_DETECTION.threshold),
  prefix_padding_ms: milliseconds.default(DEFAULT_TURN_DETECTION.prefixPaddingMs),
  silence_duration_ms: milliseconds.default(DEFAULT_TURN_DETECTION.silenceMs),
});
const SemanticVad = z.object({
  type: z.literal('semantic_vad'),
  eagerness: z.enum(['low', 'medium', 'high', 'auto']).default('auto'),
});

const RATES = [24_000, 16_000] as const;
const Format = z.discriminatedUnion('type', [
  z.object({ type: z.literal('audio/pcm'), rate: z.literal(RATES, 'must be 24000 or 16000').default(24_000) }),
  z.object({ type: z.literal('audio/pcmu') }),
  z.object({ type: z.literal('audio/pcma') }),
]);

const Transcription = z.object({
  model: z.string().max(200).nullish(),
  language: spoken,
  languages: possible,
  prompt: z.string().max(10_000).nullish(),
  keywords: z.array(z.string().max(200)).max(1_000).nullish(),
  delay: z.string().max(20).nullish(),
  diarize: z.boolean().nullish(),
});

const DEFAULT_FORMAT = { type: 'audio/pcm', rate: 24_000 } as const;
const DEFAULT_VAD = { type: 'server_vad', threshold: 0.5, prefix_padding_ms: 300, silence_duration_ms: 500 } as const;

/** The configuration of a session as clients see it. Fields that are not here are ignored. */
export const TranscriptionSession = z.object({
  type: z.literal('transcription').catch('transcription'),
  include: z.array(z.string().max(100)).max(20).nullish(),
  audio: z
    .object({
      input: z
        .object({
          format: Format.nullish().transform((format) => format ?? DEFAULT_FORMAT),
          transcription: Transcription.nullish().transform((transcription) => transcription ?? Transcription.parse({})),
          noise_reduction: z.object({ type: z.string().max(50).optional() }).nullish(),
          turn_detection: z.discriminatedUnion('type', [ServerVad, SemanticVad]).nullable().optional(),
        })
        .prefault({}),
    })
    .prefault({}),
});
export type TranscriptionSession = z.output<typeof TranscriptionSession>;

export const DEFAULT_SESSION: TranscriptionSession = TranscriptionSession.parse({});

/**
 * A session with the changes of an update: objects are merged, null clears. Throws
 * `invalid_parameter` for a known field with a bad value.
 */
export function updateSession(session: TranscriptionSession, changes: unknown): TranscriptionSession {
  if (!isObject(changes)) throw new AppError('invalid_parameter', 'The field "session" must be an object.');
  const fields = fromBetaFields(changes);
  const names = (name: string) => fieldOf(fieldOf(fieldOf(fields, 'audio'), 'input'), name) !== undefined;
  // A client may change one number of a detection that it never set.
  const changed = merge(names('turn_detection') ? withDetection(session) : session, fields);
  const checked = checkFields(TranscriptionSession, changed, (path) => `The field "session.${path}"`);
  if (checked.fault !== null) throw new AppError('invalid_parameter', checked.fault);
  return checked.value;
}

const BETA_FORMATS: ReadonlyMap<unknown, object> = new Map<string, object>([
  ['pcm16', DEFAULT_FORMAT],
  ['g711_ulaw', { type: 'audio/pcmu' }],
  ['g711_alaw', { type: 'audio/pcma' }],
]);

/** The flat fields of the beta in their places of today. */
function fromBetaFields(changes: Record<string, unknown>): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  const { input_audio_format: format, input_audio_transcription: transcription } = changes;
  if (format !== undefined) input['format'] = BETA_FORMATS.get(format) ?? { type: format };
  if (transcription !== undefined) input['transcription'] = transcription;
  if ('input_audio_noise_reduction' in changes) input['noise_reduction'] = changes['input_audio_noise_reduction'];
  if ('turn_detection' in changes) input['turn_detection'] = changes['turn_detection'];
  return Object.keys(input).length === 0 ? changes : (merge({ audio: { input } }, changes) as Record<string, unknown>);
}

/**
 * An object of another `type` replaces, because its fields are others; those of a session are the
 * same whatever its type.
 */
function merge(base: unknown, changes: unknown): unknown {
  if (!isObject(base) || !isObject(changes)) return changes;
  const isOther = changes['type'] !== undefined && base['type'] !== undefined && changes['type'] !== base['type'];
  if (isOther && !('audio' in base)) return changes;
  // A map, because a field of a client may have the name of one that every object has.
  const merged = new Map(Object.entries(base));
  for (const [name, value] of Object.entries(changes)) merged.set(name, merge(merged.get(name), value));
  return Object.fromEntries(merged);
}

/** Models whose turns the client ends, unless it asks for a turn detection. */
const WITHOUT_DETECTION = /^gpt-live-transcribe/;

/** The session with the turn detection that it has where the client set none. */
function withDetection(session: TranscriptionSession) {
  const { input } = session.audio;
  const { model } = input.transcription;
  const usual = WITHOUT_DETECTION.test(model ?? '') ? null : DEFAULT_VAD;
  const { turn_detection: detection = usual } = input;
  return { ...session, audio: { input: { ...input, turn_detection: detection } } };
}

/** The session with its id, as events and answers show it. */
export function viewSession(id: string, session: TranscriptionSession) {
  return { id, object: 'realtime.transcription_session', ...withDetection(session) };
}

/** The session in the flat shape of the beta. */
export function viewBetaSession(session: TranscriptionSession) {
  const { include } = session;
  const { input } = withDetection(session).audio;
  return {
    object: 'realtime.transcription_session',
    include: include ?? null,
    input_audio_format: { 'audio/pcm': 'pcm16', 'audio/pcmu': 'g711_ulaw', 'audio/pcma': 'g711_alaw' }[
      input.format.type
    ],
    input_audio_transcription: input.transcription,
    input_audio_noise_reduction: input.noise_reduction ?? null,
    turn_detection: input.turn_detection,
  };
}

/** Sound that must confirm a text before it is sent, by the delay that a client accepts. */
const DELAYS_MS: ReadonlyMap<string, number> = new Map([
  ['minimal', 150],
  ['low', 300],
  ['medium', 600],
  ['high', 1_200],
  ['xhigh', 2_400],
]);
/** OpenAI's models that tell speakers apart. */
const DIARIZING = /-diarize/;

/** `modelNamed` returns null for a model that the server does not have. */
export function settingsOf(session: TranscriptionSession, modelNamed: (name: string) => string | null): LiveSettings {
  const { input } = withDetection(session).audio;
  const { model, language, languages, prompt, keywords, delay, diarize } = input.transcription;
  const delayMs = DELAYS_MS.get(delay ?? '');
  const context = [prompt ?? '', (keywords ?? []).join('、')].filter((hint) => hint.trim() !== '').join('\n');
  return {
    format: formatOf(input.format),
    ...chooseLanguage(language ?? '', languages ?? []),
    context: context === '' ? null : context,
    model: model === null || model === undefined ? null : modelNamed(model),
    turnDetection: turnDetectionOf(input.turn_detection),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...((diarize ?? DIARIZING.test(model ?? '')) ? { diarize: true } : {}),
  };
}

/** Settings in which those that a client secret sets have its values; the format stays. */
export function withFixedSession(
  settings: LiveSettings,
  fixed: Record<string, unknown> | undefined,
  modelNamed: (name: string) => string | null,
): LiveSettings {
  if (fixed === undefined) return settings;
  const fixedSettings = settingsOf(updateSession(DEFAULT_SESSION, fixed), modelNamed);
  const input = fieldOf(fieldOf(fromBetaFields(fixed), 'audio'), 'input');
  const transcription = fieldOf(input, 'transcription');
  const sets = (...names: string[]) => names.some((name) => (fieldOf(transcription, name) ?? null) !== null);
  return {
    ...settings,
    ...(sets('language', 'languages') ? { language: fixedSettings.language, languages: fixedSettings.languages } : {}),
    ...(sets('prompt', 'keywords') ? { context: fixedSettings.context } : {}),
    ...(sets('model') ? { model: fixedSettings.model } : {}),
    ...(sets('delay') ? { delayMs: fixedSettings.delayMs } : {}),
    ...(fixedSettings.diarize === true ? { diarize: true } : {}),
    ...(fieldOf(input, 'turn_detection') === undefined ? {} : { turnDetection: fixedSettings.turnDetection }),
  };
}

function formatOf(format: TranscriptionSession['audio']['input']['format']): SoundFormat {
  if (format.type === 'audio/pcm') return { encoding: 'linear16', sampleRateHz: format.rate, channels: 1 };
  return { encoding: format.type === 'audio/pcmu' ? 'mulaw' : 'alaw', sampleRateHz: 8_000, channels: 1 };
}

function chooseLanguage(
  language: string,
  languages: readonly string[],
): { language: LanguageChoice; languages: readonly Language[] | null } {
  const named = languages.flatMap((code) => readLanguage(code) ?? []);
  const chosen = readLanguage(language) ?? (named.length === 1 ? named[0] : undefined);
  if (chosen !== undefined && chosen !== null) return { language: chosen, languages: null };
  const possible = [...new Set(named.flatMap((choice) => CANDIDATES[choice]))];
  return { language: 'auto', languages: possible.length === 0 ? null : possible };
}

/** The silence that ends a segment, by how soon the client wants its turn. */
const SILENCE_BY_EAGERNESS = { low: 900, medium: 500, auto: 500, high: 300 } as const;

function turnDetectionOf(
  detection: ReturnType<typeof withDetection>['audio']['input']['turn_detection'],
): TurnDetection | null {
  if (detection === null) return null;
  if (detection.type === 'semantic_vad') {
    return { ...DEFAULT_TURN_DETECTION, silenceMs: SILENCE_BY_EAGERNESS[detection.eagerness] };
  }
  const { threshold, prefix_padding_ms: prefixPaddingMs, silence_duration_ms: silenceMs } = detection;
  return { threshold, prefixPaddingMs, silenceMs };
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
