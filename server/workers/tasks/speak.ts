import type { SpokenPiece } from '@jyutsing/contracts/spoken-text';
import type { SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import type { SpeakCall, SpeechPart } from '#features/synthesis/stages.ts';
import { normalize } from '@jyutsing/text/normalization/normalize';
import { tokenizePiece } from '@jyutsing/text/normalization/tokenize';
import { openModel, type EngineLocation } from '#workers/opened-engines.ts';

export type PlacedSpeakCall = EngineLocation & { call: SpeakCall };

/** Reads the parts as far as the model needs it, and says them; see `Speak`. */
export async function* speak({ call, ...place }: PlacedSpeakCall, signal: AbortSignal): AsyncGenerator<SynthesisEvent> {
  const { model, parts, fromSimplified, ...request } = call;
  const synthesizer = await openModel(place, model);
  const toPiece = await pieceMaker({ ...request, fromSimplified }, model.capabilities.readings);
  const pieces = parts.map(toPiece).filter((piece) => piece !== null);
  if (pieces.length > 0) yield* synthesizer.synthesize({ ...request, pieces }, signal);
}

/** Loads what the first request would otherwise wait for: the model and the dictionaries of its language. */
export async function prepareToSpeak({
  language,
  model,
  ...place
}: EngineLocation & Pick<SpeakCall, 'language' | 'model'>): Promise<void> {
  await openModel(place, model);
  const toPiece = await pieceMaker({ language, fromSimplified: false }, model.capabilities.readings);
  toPiece(tokenizePiece('你好', language));
}

/** The dictionaries take half a second and a hundred megabytes, so that only those who need readings load them. */
async function pieceMaker(
  { language, fromSimplified }: Pick<SpeakCall, 'language' | 'fromSimplified'>,
  needsReadings: boolean,
): Promise<(part: SpeechPart) => SpokenPiece | null> {
  const toHongKong = fromSimplified ? (await import('@jyutsing/text/script')).toHongKong : null;
  const read = needsReadings
    ? await (await import('@jyutsing/text/normalization/add-readings')).loadAddReadings()
    : null;
  return (part) => {
    if ('phrases' in part) return part;
    // Other characters make other words (快D is 快啲), so that their tokens do not fit any more.
    const tokenized = toHongKong === null ? part : tokenizePiece(toHongKong(part.text), language, part.endsSentence);
    const piece = normalize(tokenized, language);
    return piece === null || read === null ? piece : read(piece);
  };
}
