import { isTraditional, toTraditional } from '@jyutsing/text/script/convert-script';
import type { RecognizedAttempt, SyllableTools } from './recognize-attempts.ts';
import type { SyllableSounds } from './syllable-sounds.ts';
import type { AcousticAnalysis } from './types.ts';

const isAccepted = ({ judged }: RecognizedAttempt): boolean => judged !== null && judged.verdict !== 'wrong';

/** Everything that was recognized, in order; a consonant alone does not count as a syllable. */
export function recognizedSyllables(attempts: readonly RecognizedAttempt[], sounds: SyllableSounds): string[] {
  return attempts
    .filter(({ attempt }) => attempt.rimeEnd > 0)
    .map(({ judged, heard: sound }) => (judged?.verdict === 'right' ? judged.reading.written : sounds.write(sound)));
}

/**
 * Formats everything that was recognized. For Cantonese, and for Mandarin with a text of pinyin:
 * the recognized syllables, separated by spaces. Otherwise the words of the text that were
 * pronounced correctly, and the output of the free decoder between them, in the same script.
 */
export function formatRecognized(
  attempts: readonly RecognizedAttempt[],
  texts: readonly string[],
  analysis: AcousticAnalysis,
  { sounds, decode }: Pick<SyllableTools, 'sounds' | 'decode'>,
): string {
  if (decode === null || texts.every((text) => sounds.read(text) !== null))
    return recognizedSyllables(attempts, sounds).join(' ');
  const syllables = attempts.filter(({ attempt }) => attempt.rimeEnd > 0);
  if (syllables.every(isAccepted)) return joined(syllables.map(({ attempt }) => texts[attempt.unit ?? -1] ?? ''));
  const characters = decode(analysis);
  const { frameMs } = analysis.labels;
  // The decoder writes Simplified Chinese.
  const inScript = isTraditional(texts.join('')) ? toTraditional : (text: string) => text;
  const between = (fromMs: number, toMs: number): string =>
    inScript(
      characters
        .filter(({ startMs, endMs }) => (startMs + endMs) / 2 >= fromMs && (startMs + endMs) / 2 < toMs)
        .map(({ text }) => text)
        .join(''),
    );
  const pieces: string[] = [];
  let writtenMs = 0;
  let isOpen = false;
  for (const syllable of syllables) {
    if (!isAccepted(syllable)) {
      isOpen = true;
      continue;
    }
    if (isOpen) pieces.push(between(writtenMs, syllable.sounding.startFrame * frameMs));
    pieces.push(texts[syllable.attempt.unit ?? -1] ?? '');
    writtenMs = syllable.sounding.endFrame * frameMs;
    isOpen = false;
  }
  if (isOpen) pieces.push(between(writtenMs, Infinity));
  return joined(pieces);
}

/** Joins characters, with spaces around pinyin. */
function joined(pieces: readonly string[]): string {
  const spaced = pieces.map((piece) => (/^[a-z]+\d$/u.test(piece) ? ` ${piece} ` : piece));
  return spaced.join('').replaceAll('  ', ' ').trim();
}
