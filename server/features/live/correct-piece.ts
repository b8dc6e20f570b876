import type { LiveOptions } from '@jyutsing/contracts/live-recognition';
import type { Language, Segment } from '@jyutsing/contracts/transcript';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import { toPiece, type RecognizedPiece } from './follow-piece.ts';
import type { LiveContext } from './live-context.ts';

const HAN = /\p{Script=Han}/u;

/** The piece of a session, with the homophones of Cantonese corrected where that is wanted. */
export async function correctPiece(
  segment: Segment,
  { samples, ...place }: SpeechSegment,
  { language, correction = null, context }: { language: Language } & Pick<LiveOptions, 'correction' | 'context'>,
  correct: LiveContext['correct'],
): Promise<RecognizedPiece> {
  const isCorrectable = correction !== null && language === 'cantonese' && HAN.test(segment.text);
  const corrected = isCorrectable ? await correct({ models: correction, context, piece: { segment, samples } }) : null;
  return toPiece(corrected ?? segment, place);
}
