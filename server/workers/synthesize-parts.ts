import type { SpokenPiece } from '@jyutsing/contracts/spoken-text';
import type { SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import type { SpeakCall, SpeechPart } from '#features/synthesis/speech.ts';
import { normalize } from '@jyutsing/text/normalization/normalize';
import { tokenizePiece } from '@jyutsing/text/normalization/tokenize';
import type { EngineCache } from './engine-cache.ts';

/** Prepares the parts as far as the model needs it, and speaks them; see `Speak`. */
export async function* synthesizeParts(
  { model, parts, fromSimplified, ...request }: SpeakCall,
  engines: EngineCache,
  signal: AbortSignal,
): AsyncGenerator<SynthesisEvent> {
  const synthesizer = await engines.open(model);
  const toPiece = await createPieceReader({ ...request, fromSimplified }, model.capabilities.readings);
  const pieces = parts.map(toPiece).filter((piece) => piece !== null);
  if (pieces.length > 0) yield* synthesizer.synthesize({ ...request, pieces }, signal);
}

/** Opens a model and loads the dictionaries that it needs for a language. */
export async function loadSynthesizer(
  { language, model }: Pick<SpeakCall, 'language' | 'model'>,
  engines: EngineCache,
): Promise<void> {
  await engines.open(model);
  const toPiece = await createPieceReader({ language, fromSimplified: false }, model.capabilities.readings);
  toPiece(tokenizePiece('你好', language));
}

/**
 * Dictionaries take half a second and tens of megabytes, so only models that need readings load
 * them.
 */
async function createPieceReader(
  { language, fromSimplified }: Pick<SpeakCall, 'language' | 'fromSimplified'>,
  needsReadings: boolean,
): Promise<(part: SpeechPart) => SpokenPiece | null> {
  const toHongKong = fromSimplified ? (await import('@jyutsing/text/script')).toHongKong : null;
  const addReadings = needsReadings
    ? await (await import('@jyutsing/text/normalization/add-readings')).loadAddReadings()
    : null;
  return (part) => {
    if ('phrases' in part) return part;
    // Other characters make other words (快D is 快啲), so the text is tokenized again.
    const tokenized = toHongKong === null ? part : tokenizePiece(toHongKong(part.text), language, part.endsSentence);
    const piece = normalize(tokenized, language);
    return piece === null || addReadings === null ? piece : addReadings(piece);
  };
}
