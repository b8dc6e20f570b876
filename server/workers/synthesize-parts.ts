import type { SpokenPiece } from '@jyutsing/contracts/spoken-text';
import { SYNTHESIS_SAMPLE_RATE_HZ, type SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import type { Speech, SpeechPart, SpeechText } from '#features/synthesis/speech.ts';
import { readFromLexicon } from '@jyutsing/text/lexicon/read-from-lexicon';
import { normalize } from '@jyutsing/text/normalization/normalize';
import { splitByStyle } from '@jyutsing/text/normalization/split-by-style';
import { tokenizePiece } from '@jyutsing/text/normalization/tokenize';
import type { TokenizedPiece } from '@jyutsing/text/normalization/tokens';
import { bestCandidate } from './best-candidate.ts';
import { changedEvent, changedStyle, mannersFor } from './change-style.ts';
import type { EngineCache } from './engine-cache.ts';

/**
 * Prepares the parts as far as the model needs it, and speaks them; see `Speak`. Words of another
 * style, or of a language that the model leaves to others, are spoken by a call of their own.
 */
export async function* synthesizeParts(
  { model, text, voice, style, seed }: Omit<Speech, 'accountId'>,
  engines: EngineCache,
  signal: AbortSignal,
): AsyncGenerator<SynthesisEvent> {
  const toPieces = await createPartReader(text, model.capabilities.readings);
  const pieces = toPieces(text.parts, text.beside);
  const calls = splitByStyle(pieces, text.language, mannersFor(model.capabilities));
  let startMs = 0;
  for (const { style: change, leftTo, pieces: styled } of calls) {
    const language = leftTo ?? text.language;
    const ref = leftTo === null ? model : (await engines.registry()).select('synthesizer', { language });
    const synthesizer = await engines.open(ref);
    const request = { ...changedStyle(style, change), language, voice, seed, pieces: styled };
    let samples = 0;
    const make = (candidateSeed: number) => synthesizer.synthesize({ ...request, seed: candidateSeed }, signal);
    const { candidates: count = 1 } = ref.capabilities;
    const events = count > 1 ? bestCandidate({ count, make }, request, engines, signal) : make(seed);
    for await (const event of events) {
      if (event.type === 'audio') samples += event.samples.length;
      yield changedEvent(event, { startMs, gain: change?.gain ?? 1 });
    }
    startMs += (samples * 1_000) / SYNTHESIS_SAMPLE_RATE_HZ;
  }
}

/** Opens a model and loads the dictionaries that it needs for a language. */
export async function loadSynthesizer(
  { language, model }: Pick<Speech, 'model'> & Pick<SpeechText, 'language'>,
  engines: EngineCache,
): Promise<void> {
  await engines.open(model);
  const settings = { language, fromSimplified: false, lexicon: [] };
  const toPieces = await createPartReader(settings, model.capabilities.readings);
  toPieces([tokenizePiece('你好', language)], { before: [], after: [] });
}

/**
 * Dictionaries take half a second and tens of megabytes, so only models that need readings load
 * them.
 */
async function createPartReader(
  { language, fromSimplified, lexicon }: Pick<SpeechText, 'language' | 'fromSimplified' | 'lexicon'>,
  needsReadings: boolean,
): Promise<(parts: readonly SpeechPart[], beside: SpeechText['beside']) => SpokenPiece[]> {
  const spelled = fromSimplified ? (await import('@jyutsing/text/script/convert-script')).toHongKongInPlace : null;
  const addReadings = needsReadings
    ? await (await import('@jyutsing/text/normalization/add-readings')).loadAddReadings()
    : null;
  const readWritten = needsReadings ? await loadReadWritten(language) : null;
  const words = language === 'mandarin' ? [] : lexicon;
  // Other characters make other words (快D is 快啲), so the text is tokenized again.
  const tokenized = (parts: readonly SpeechPart[]) =>
    parts.flatMap((part) => {
      if ('phrases' in part) return [];
      const isPlain = part.tokens.every(({ token, style }) => token.kind !== 'given' && style === undefined);
      if (spelled === null || !isPlain) return part;
      return { ...tokenizePiece(spelled(part.text), language, part.endsSentence), text: part.text };
    });
  return (parts, beside) => {
    const before = tokenized(beside.before);
    const all = [...before, ...tokenized(parts), ...tokenized(beside.after)];
    const read = (readWritten?.(all) ?? all).slice(before.length).values();
    return parts.flatMap((part) => {
      if ('phrases' in part) return part;
      const piece = normalize(read.next().value ?? part, language);
      if (piece === null) return [];
      if (addReadings === null) return piece;
      const given = new Set(piece.phrases.flatMap(({ words }) => words.filter((word) => word.reading.length > 0)));
      return readFromLexicon(addReadings(piece), words, given);
    });
  };
}

type ReadWritten = (pieces: readonly TokenizedPiece[]) => readonly TokenizedPiece[];

/** Returns null for a language whose texts have no romanized syllables. */
async function loadReadWritten(language: SpeechText['language']): Promise<ReadWritten | null> {
  if (language === 'english') return null;
  const { readWritten } = await import('@jyutsing/text/pronunciation/written-syllables');
  const romanization =
    language === 'cantonese'
      ? (await import('@jyutsing/text/pronunciation/cantonese/jyutping-in-text')).JYUTPING_IN_TEXT
      : (await import('@jyutsing/text/pronunciation/mandarin/pinyin-in-text')).PINYIN_IN_TEXT;
  return (pieces) => readWritten(pieces, romanization);
}
