import type { SpokenPiece } from '@jyutsing/contracts/spoken-text';
import type { SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import type { SpeakCall, SpeechPart } from '#features/synthesis/stages.ts';
import { normalize } from '@jyutsing/text/normalization/normalize';
import { findRegistry, openSynthesizer, type EngineLocation } from '#workers/opened-engines.ts';

export type PlacedSpeakCall = EngineLocation & { call: SpeakCall };

/** Reads the parts as far as the model needs it, and says them; see `Speak`. */
export async function* speak({ call, ...place }: PlacedSpeakCall, signal: AbortSignal): AsyncGenerator<SynthesisEvent> {
  const { model, parts, fromSimplified, ...request } = call;
  const registry = await findRegistry(place);
  const choice = registry.chooseSynthesizer(request.language, model);
  const synthesizer = await openSynthesizer(choice, place.env);
  const toPiece = await pieceMaker({ ...request, fromSimplified }, choice.model.capabilities.readings);
  const pieces = parts.map(toPiece).filter((piece) => piece !== null);
  if (pieces.length > 0) yield* synthesizer.synthesize({ ...request, pieces }, signal);
}

/** Loads what the first request would otherwise wait for: the model and the dictionaries of its language. */
export async function prepareToSpeak({
  language,
  preference,
  ...place
}: EngineLocation & Pick<SpeakCall, 'language'> & { preference: string }): Promise<void> {
  const registry = await findRegistry(place);
  const choice = registry.chooseSynthesizer(language, preference);
  await openSynthesizer(choice, place.env);
  const { readings } = choice.model.capabilities;
  const toPiece = await pieceMaker({ language, fromSimplified: false }, readings);
  toPiece({ text: '你好', endsSentence: true });
}

/** The dictionaries take half a second and a hundred megabytes, so that only those who need readings load them. */
async function pieceMaker(
  { language, fromSimplified }: Pick<SpeakCall, 'language' | 'fromSimplified'>,
  needsReadings: boolean,
): Promise<(part: SpeechPart) => SpokenPiece | null> {
  const convert = fromSimplified ? (await import('@jyutsing/text/script')).toHongKong : (text: string) => text;
  const read = needsReadings
    ? await (await import('@jyutsing/text/normalization/add-readings')).loadAddReadings()
    : null;
  return (part) => {
    if ('phrases' in part) return part;
    const piece = normalize({ ...part, text: convert(part.text) }, language);
    return piece === null || read === null ? piece : read(piece);
  };
}
