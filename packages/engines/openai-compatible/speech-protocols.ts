import type { SynthesisRequest } from '@jyutsing/contracts/synthesizer';
import type { SpeechSettings } from './speech-settings.ts';

/**
 * Features that some servers of this API refuse. `reference` is the voice sample;
 * `reference-without-text` a sample without its text; `streaming-at-speed` a stream at another
 * speed than 1; `no-voice` a request without a voice name; `samples` responses without a header.
 */
export type Refusal =
  | 'reference'
  | 'reference-without-text'
  | 'streaming'
  | 'streaming-at-speed'
  | 'sample-rate'
  | 'sampling'
  | 'speed'
  | 'language'
  | 'no-voice'
  | 'samples';
export type Refused = ReadonlySet<Refusal>;

/** OpenAI's first voice, which most servers know. */
const DEFAULT_VOICE = 'alloy';
const MAX_SEED = 2 ** 31;
/** Names of languages as vLLM-Omni and Qwen3-TTS have them. */
const LANGUAGE_NAMES = { cantonese: 'Cantonese', mandarin: 'Chinese', english: 'English' } as const;

/**
 * Refusals by the version of the settings, for the lifetime of the process: capabilities are needed
 * before a model is opened, and without this every sample would be sent twice.
 */
const refusalsByVersion = new Map<string, Set<Refusal>>();

export function knownRefusals({ version }: SpeechSettings): Refused {
  return refusalsByVersion.get(version) ?? new Set();
}

/** Remembers a refusal. Requests run concurrently, and a step is never undone. */
export function rememberRefusals({ version }: SpeechSettings, refused: Iterable<Refusal>): void {
  const all = refusalsByVersion.get(version) ?? new Set<Refusal>();
  for (const refusal of refused) all.add(refusal);
  refusalsByVersion.set(version, all);
}

/** Builds the JSON of a request for one text with every feature that is not known to be refused. */
export function speechBody(
  settings: SpeechSettings,
  text: string,
  request: SynthesisRequest,
  refused: Refused,
): Record<string, unknown> {
  const { language, speed, temperature, topP, seed } = request;
  const reference = referenceFields(settings, request, refused);
  const isAtSpeed = speed !== 1 && !refused.has('speed');
  const isStreamed = !refused.has('streaming') && !(isAtSpeed && refused.has('streaming-at-speed'));
  // A voice name could override the sample.
  const isVoiceNamed = refused.has('no-voice') || (settings.voice !== null && reference === null);
  return {
    ...(settings.model === null ? {} : { model: settings.model }),
    input: text,
    response_format: refused.has('samples') ? 'wav' : 'pcm',
    ...(isVoiceNamed ? { voice: settings.voice ?? DEFAULT_VOICE } : {}),
    ...(isAtSpeed ? { speed } : {}),
    ...(refused.has('language') ? {} : { language: LANGUAGE_NAMES[language] }),
    // Do not send `stream: true`, which some servers answer with events of base64.
    ...(isStreamed ? { stream_format: 'audio' } : {}),
    // Some servers apply this field; the others return the configured format.
    ...(refused.has('sample-rate') ? {} : { sample_rate: settings.sampleRateHz }),
    ...(refused.has('sampling') ? {} : { temperature, top_p: topP, seed: Math.abs(Math.trunc(seed)) % MAX_SEED }),
    ...(language === 'cantonese' && settings.cantoneseInstructions !== null
      ? { instructions: settings.cantoneseInstructions }
      : {}),
    ...reference,
  };
}

function referenceFields(
  { sendsReference }: SpeechSettings,
  { voice }: SynthesisRequest,
  refused: Refused,
): Record<string, unknown> | null {
  if (!sendsReference || voice.reference === null || refused.has('reference')) return null;
  const { wav, transcript } = voice.reference;
  return {
    ref_audio: `data:audio/wav;base64,${Buffer.from(wav.buffer, wav.byteOffset, wav.byteLength).toString('base64')}`,
    ...(transcript === null ? {} : { ref_text: transcript }),
    // Uses only the timbre of the voice, without continuing the sample's text.
    ...(transcript === null && refused.has('reference-without-text') ? { x_vector_only_mode: true } : {}),
  };
}

/**
 * Returns the feature that a server refused with 400 or 422, judged by its message among the
 * features that were sent; `sample` when samples are supported, but not this one; null when the
 * request is not the cause, or the message does not name it.
 */
export function refusalIn(answer: string, body: Readonly<Record<string, unknown>>): Refusal | 'sample' | null {
  const message = withoutEcho(answer);
  const has = (field: string) => field in body;
  if (has('ref_audio') && /ref_(audio|text)|x_vector|reference|task_type|clon/i.test(message)) {
    const isAboutText = /ref_text|x_vector|transcript/i.test(message);
    if (isAboutText && !has('ref_text') && !has('x_vector_only_mode')) return 'reference-without-text';
    return UNKNOWN_FIELD.test(message) ? 'reference' : 'sample';
  }
  if (has('language') && /language/i.test(message)) return 'language';
  if (has('temperature') && /temperature|top_p|\bseed\b/i.test(message)) return 'sampling';
  if (has('sample_rate') && /sample_?rate/i.test(message)) return 'sample-rate';
  if (has('speed') && /speed/i.test(message)) return has('stream_format') ? 'streaming-at-speed' : 'speed';
  if (has('stream_format') && /stream/i.test(message)) return 'streaming';
  if (body['response_format'] === 'pcm' && /response_format|pcm/i.test(message)) return 'samples';
  if (!has('voice') && /voice|speaker/i.test(message)) return 'no-voice';
  if (!UNKNOWN_FIELD.test(message)) return null;
  // The message does not name the field, so the rarest feature is dropped first.
  if (has('language')) return 'language';
  if (has('temperature')) return 'sampling';
  if (has('sample_rate')) return 'sample-rate';
  if (has('stream_format')) return 'streaming';
  return has('ref_audio') ? 'reference' : null;
}

/**
 * Removes the request, which some servers (FastAPI) repeat as `input`, and which may contain any of
 * these words.
 */
function withoutEcho(answer: string): string {
  try {
    return JSON.stringify(JSON.parse(answer, (key, value: unknown) => (key === 'input' ? undefined : value)));
  } catch {
    return answer;
  }
}

/**
 * Matches phrases by which servers describe an unknown or unsupported field, as opposed to an
 * invalid value.
 */
const UNKNOWN_FIELD =
  /un(known|recogni[sz]ed|expected|supported)|not? (currently )?(supported?|permitted|allowed|accepted|available|recogni[sz]ed)|extra (fields?|inputs?)|extra_forbidden|(does|do|is|are) not support|only (valid|supported|available)|forbidden|additional propert|no such (field|parameter)/i;
