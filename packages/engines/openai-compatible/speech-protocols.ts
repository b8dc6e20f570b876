import type { SynthesisRequest } from '@jyutsing/contracts/synthesizer';
import type { SpeechSettings } from './speech-settings.ts';

/**
 * What servers of the same API refuse, each something else. `reference`: the sample of a voice; `reference-without-text`: a sample of
 * which nobody said what is said in it; `streaming-at-speed`: a stream at another speed than 1; `no-voice`: a request that names no
 * voice; `samples`: answers without a header.
 */
export type Refusal =
  | 'reference'
  | 'reference-without-text'
  | 'streaming'
  | 'streaming-at-speed'
  | 'sample-rate'
  | 'sampling'
  | 'speed'
  | 'no-voice'
  | 'samples';
export type Refused = ReadonlySet<Refusal>;

/** OpenAI's first voice, which most servers know under this name. */
const USUAL_VOICE = 'alloy';
const MAX_SEED = 2 ** 31;

/**
 * Refusals by the settings under which they were met, for as long as the process lives: what a model can do is asked before it is
 * opened, and a client that forgot would send every sample twice.
 */
const known = new Map<string, Set<Refusal>>();

export function knownRefusals({ version }: SpeechSettings): Refused {
  return known.get(version) ?? new Set();
}

/** Remembers refusals; requests run side by side, and no step is taken back. */
export function rememberRefusals({ version }: SpeechSettings, refused: Iterable<Refusal>): void {
  const all = known.get(version) ?? new Set<Refusal>();
  for (const refusal of refused) all.add(refusal);
  known.set(version, all);
}

/** The JSON of a request for one text, in the richest way that is not known to be refused. */
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
  // Beside a sample, a name could win over it.
  const isVoiceNamed = refused.has('no-voice') || (settings.voice !== null && reference === null);
  return {
    model: settings.model,
    input: text,
    response_format: refused.has('samples') ? 'wav' : 'pcm',
    ...(isVoiceNamed ? { voice: settings.voice ?? USUAL_VOICE } : {}),
    ...(isAtSpeed ? { speed } : {}),
    // Not `stream: true`, by which some mean events with base64 in them.
    ...(isStreamed ? { stream_format: 'audio' } : {}),
    // Servers that know the field keep to it; the others give what the operator said that they give.
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
    // Takes the sound of the voice alone, without continuing what was said.
    ...(transcript === null && refused.has('reference-without-text') ? { x_vector_only_mode: true } : {}),
  };
}

/**
 * What of a request a server refused with 400 or 422, by what it says; only what was sent comes into question. `sample`: it takes
 * samples, but not this one. Null when the request is not what it minds, or it does not say.
 */
export function refusalIn(answer: string, body: Readonly<Record<string, unknown>>): Refusal | 'sample' | null {
  const said = withoutEcho(answer);
  const has = (field: string) => field in body;
  if (has('ref_audio') && /ref_(audio|text)|x_vector|reference|task_type|clon/i.test(said)) {
    const isOfText = /ref_text|x_vector|transcript/i.test(said);
    if (isOfText && !has('ref_text') && !has('x_vector_only_mode')) return 'reference-without-text';
    return UNKNOWN_FIELD.test(said) ? 'reference' : 'sample';
  }
  if (has('temperature') && /temperature|top_p|\bseed\b/i.test(said)) return 'sampling';
  if (has('sample_rate') && /sample_?rate/i.test(said)) return 'sample-rate';
  if (has('speed') && /speed/i.test(said)) return has('stream_format') ? 'streaming-at-speed' : 'speed';
  if (has('stream_format') && /stream/i.test(said)) return 'streaming';
  if (body['response_format'] === 'pcm' && /response_format|pcm/i.test(said)) return 'samples';
  if (!has('voice') && /voice|speaker/i.test(said)) return 'no-voice';
  if (!UNKNOWN_FIELD.test(said)) return null;
  // It does not say which: what only some servers know goes first.
  if (has('temperature')) return 'sampling';
  if (has('sample_rate')) return 'sample-rate';
  if (has('stream_format')) return 'streaming';
  return has('ref_audio') ? 'reference' : null;
}

/** Some (FastAPI) say the request once more, as `input`, and any of the words may stand in it. */
function withoutEcho(answer: string): string {
  try {
    return JSON.stringify(JSON.parse(answer, (key, value: unknown) => (key === 'input' ? undefined : value)));
  } catch {
    return answer;
  }
}

/** How servers say that they do not know or have something at all, as opposed to what is wrong with what they were given. */
const UNKNOWN_FIELD =
  /un(known|recogni[sz]ed|expected|supported)|not? (currently )?(supported?|permitted|allowed|accepted|available|recogni[sz]ed)|extra (fields?|inputs?)|extra_forbidden|(does|do|is|are) not support|only (valid|supported|available)|forbidden|additional propert|no such (field|parameter)/i;
