import { AppError } from '@jyutsing/contracts/errors';
import type { Language } from '@jyutsing/contracts/transcript';
import type { Voice } from '@jyutsing/contracts/voice';
import { splitSpans } from '@jyutsing/text/normalization/split-text';
import { pitchFor } from '@jyutsing/text/ssml/prosody';
import { spansOfStretch } from '@jyutsing/text/ssml/spans-of-stretch';
import { toStretches, type Stretch, type VoiceWish } from '@jyutsing/text/ssml/stretches';
import {
  addParts,
  checkSpeechText,
  MAX_PAUSES_MS,
  newSpeechText,
  splitSpeechText,
  type Speaker,
  type SpeechModel,
  type SpeechText,
} from '#features/synthesis/speech.ts';
import { encodeHeader } from '#http/encode-header.ts';
import { knownVoice } from '#http/openai-speech/openai-voices.ts';
import { defaultVoice } from './find-voice.ts';
import type { SpeechDeps } from './speak.ts';
import type { SpeechScript } from './speech-script.ts';

/** The header that names what of a document has no effect; for the documentation too. */
export const IGNORED_SSML_HEADER = {
  'X-Ssml-Ignored': {
    description:
      'Only for SSML: elements and attributes that had no effect, or that were spoken as a bound (`prosody rate=9 as 3`), after commas, percent-encoded.',
    type: 'string',
  },
} as const;

/** The order of a request for its speech, which elements of SSML change for parts of the text. */
type SpeechOrder = {
  accountId: string;
  language: Language;
  voice: Voice;
  /** The name of the model; null: the best one. */
  model: string | null;
  fromSimplified?: boolean;
  /** Corpora whose words are said as they say; null or absent: those of the account. */
  corpusIds?: readonly string[] | null;
};

/** The text with its speakers, and headers that say what could not be followed. */
export type CastScript = {
  text: SpeechText;
  headers: { 'X-Ssml-Ignored'?: string };
  /** Names of voices that this server does not have. */
  unknownVoices: readonly string[];
};

/** The pause between two paragraphs, beside those at the ends of their sentences. */
const PARAGRAPH_MS = 400;
/** Each other voice is searched for in the database. */
const MAX_VOICES = 16;

/**
 * Divides a script into parts, and finds the voices and models of its elements. Throws
 * `invalid_request` as `splitSpeechText` does, for a pronunciation that its language does not have,
 * and for more than 16 voices; `invalid_parameter` for an unknown corpus.
 */
export async function castScript(deps: CastDeps, script: SpeechScript, order: SpeechOrder): Promise<CastScript> {
  const { accountId, corpusIds = null } = order;
  const [cast, lexicon] = await Promise.all([
    castParts(deps, script, order),
    deps.corpora.lexicon(accountId, corpusIds, script.text),
  ]);
  return { ...cast, text: { ...cast.text, lexicon } };
}

async function castParts(deps: CastDeps, script: SpeechScript, order: SpeechOrder): Promise<CastScript> {
  const { language, fromSimplified = false } = order;
  if (script.document === null) {
    const text = await splitSpeechText({ text: script.text, jyutping: null, language, fromSimplified });
    return { text, headers: {}, unknownVoices: [] };
  }
  const ignored = new Set(script.document.ignored);
  const speakers = createSpeakers(deps, order);
  const stretches = toStretches(script.document.items, language);
  const paragraphMs = paragraphPause(stretches);
  const draft = newSpeechText(language, fromSimplified);
  for (const stretch of stretches) {
    const found = await speakers.of(stretch);
    for (const what of whatModelIgnores(stretch, found.model)) ignored.add(what);
    const spoken = { ...stretch, language: found.language };
    if (found.language !== stretch.language) ignored.add(`xml:lang=${stretch.language}`);
    const voiceHz = found.voice.profile.pitchMedianHz;
    if (found.model?.capabilities.adjusts.pitch === true) {
      for (const what of boundPitches(stretch, voiceHz)) ignored.add(what);
    }
    const spans = spansOfStretch(spoken, voiceHz);
    const pieces = await splitSpans(spans, found.language, stretch.continues);
    const { speaker } = found;
    placeMarks(draft, stretch, pieces);
    const parts = speaker === null ? pieces : pieces.map((piece) => ({ ...piece, speaker }));
    const isParagraph = stretch.endsParagraph && stretch.pauseMs === 0;
    addParts(draft, parts, isParagraph ? paragraphMs : stretch.pauseMs);
  }
  const afterLast = draft.marks.findIndex(({ part }) => part >= draft.parts.length);
  for (const { name } of afterLast < 0 ? [] : draft.marks.splice(afterLast)) {
    draft.marks.push({ name, part: draft.parts.length - 1, at: Number.MAX_SAFE_INTEGER });
  }
  const headers = ignored.size === 0 ? {} : { 'X-Ssml-Ignored': encodeHeader([...ignored].join(', ')) };
  return { text: checkSpeechText(draft), headers, unknownVoices: speakers.unknown() };
}

type CastDeps = Pick<SpeechDeps, 'config' | 'corpora' | 'speech' | 'voices'>;
type Found = { language: Language; voice: Voice; model: SpeechModel | null; speaker: Speaker | null };

/** Paragraphs share what the breaks leave of the longest pauses. */
function paragraphPause(stretches: readonly Stretch[]): number {
  const breaksMs = stretches.reduce((sum, { pauseMs }) => sum + pauseMs, 0);
  const paragraphs = stretches.filter(({ endsParagraph, pauseMs }) => endsParagraph && pauseMs === 0).length;
  return Math.max(0, Math.min(PARAGRAPH_MS, Math.floor((MAX_PAUSES_MS - breaksMs) / Math.max(1, paragraphs))));
}

/**
 * Adds the marks of a stretch; without parts of its own, they belong to the beginning of the next
 * part.
 */
function placeMarks(
  { marks, parts }: ReturnType<typeof newSpeechText>,
  stretch: Stretch,
  pieces: readonly { text: string }[],
): void {
  let part = 0;
  let start = 0;
  for (const { name, at } of stretch.marks) {
    while (part < pieces.length - 1 && at >= start + pieces[part]!.text.length) {
      start += pieces[part]!.text.length;
      part += 1;
    }
    marks.push({ name, part: parts.length + part, at: pieces.length === 0 ? 0 : at - start });
  }
}

/** Names what the model of a stretch cannot do. */
function whatModelIgnores({ segments }: Stretch, model: SpeechModel | null): string[] {
  if (model === null) return [];
  const { adjusts, readings } = model.capabilities;
  const ignored: string[] = [];
  if (!adjusts.speed && segments.some(({ prosody }) => prosody.rate !== 1)) ignored.push('prosody rate');
  if (!adjusts.pitch && segments.some(({ prosody }) => prosody.pitch.length > 0)) ignored.push('prosody pitch');
  if (!readings && segments.some(({ reading }) => reading?.kind === 'phoneme')) ignored.push('phoneme');
  return ignored;
}

/** The pitches of a stretch that are out of the bounds of a voice, by the bounds. */
function boundPitches({ segments }: Stretch, voiceHz: number): string[] {
  return segments.flatMap(({ prosody }) => {
    const { semitones, isBound } = pitchFor(prosody.pitch, voiceHz);
    return isBound ? [`prosody pitch as ${semitones > 0 ? '+' : ''}${Math.round(semitones)}st`] : [];
  });
}

/** Finds who speaks a stretch; each language and voice once. */
function createSpeakers({ voices, speech, config }: CastDeps, order: SpeechOrder) {
  const { accountId, voice: usualVoice, language: usualLanguage } = order;
  const found = new Map<string, Found>();
  const wished = new Map<string, Voice | null>();
  const unknown = new Set<string>();

  const modelFor = (language: Language, voice: Voice): SpeechModel | null => {
    for (const name of order.model === null ? ['auto'] : [order.model, 'auto']) {
      try {
        return speech.chooseModel(language, name, voice);
      } catch (failure) {
        if (!(failure instanceof AppError)) throw failure;
      }
    }
    return null;
  };
  const voiceFor = async ({ names, gender }: VoiceWish, language: Language): Promise<Voice | null> => {
    for (const sent of names) {
      const query = { accountId, sent, language, aliases: config.voiceAliases };
      const voice = await knownVoice(voices, query);
      if (voice !== null) return voice;
    }
    const [name] = names;
    if (name !== undefined) unknown.add(name);
    return gender === null ? null : defaultVoice(voices, accountId, language, gender);
  };
  const find = async ({ language, voice: wish }: Stretch): Promise<Found> => {
    const key = JSON.stringify([wish, language]);
    if (wish !== null && !wished.has(key)) {
      if (wished.size >= MAX_VOICES)
        throw new AppError('invalid_request', `SSML may name at most ${MAX_VOICES} voices.`);
      wished.set(key, await voiceFor(wish, language));
    }
    const voice = wished.get(key) ?? usualVoice;
    const model = modelFor(language, voice);
    const isUsual = voice === usualVoice && language === usualLanguage;
    if (isUsual || model === null) {
      return { language: usualLanguage, voice: usualVoice, model: modelFor(usualLanguage, usualVoice), speaker: null };
    }
    const synthesisVoice = await voices.synthesisVoice(voice, model.capabilities.clones);
    return { language, voice, model, speaker: { language, model, voice: synthesisVoice } };
  };

  return {
    unknown: () => [...unknown],
    async of(stretch: Stretch): Promise<Found> {
      const key = JSON.stringify([stretch.voice, stretch.language]);
      const speaker = found.get(key) ?? (await find(stretch));
      found.set(key, speaker);
      return speaker;
    },
  };
}
