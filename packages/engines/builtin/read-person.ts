import type { Language, Segment, Word } from '@jyutsing/contracts/transcript';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import { symbolCount, type AcousticLabels, type Posteriors, type SyllableAlternatives } from './decoder/index.ts';
import { symbolEvidence } from './language-evidence.ts';
import type { Listener } from './listener/listener.ts';
import { toReadSegment } from './segment-text.ts';

/** Sound with its language, and what the acoustic model of that language heard in it. */
type HeardSound = { samples: Float32Array; language: Language; posteriors: Posteriors; labels: AcousticLabels };

/** The words that the listener reads, marks among them, and the syllables that it heard. */
type ReadWords = { words: Word[]; syllables(): SyllableAlternatives[] };

/** The segment that the listener reads, null for nothing, and the syllables that it heard. */
type ReadSegment = Pick<ReadWords, 'syllables'> & { segment: Segment | null };

/**
 * Returns the words that the listener reads of a person, with times from the first sample; null
 * where the acoustic model answers: it knows the voice, or the text of the listener is not to be
 * trusted.
 */
export async function readWords(
  listener: Listener | null,
  { samples, language, posteriors, labels }: HeardSound,
  signal: AbortSignal,
): Promise<ReadWords | null> {
  if (listener === null || isVoiceKnown(posteriors, labels)) return null;
  const sound = await listener.hear(samples);
  const { words, isTrusted } = await listener.read(sound, language, signal);
  const syllables = () => (language === 'english' ? [] : listener.recognizeSyllables(sound, language));
  return isTrusted ? { words, syllables } : null;
}

/** Returns what `readWords` reads as a segment; null as there, and where it has only marks. */
export async function readPerson(
  listener: Listener | null,
  { speech, ...evidence }: Omit<HeardSound, 'samples'> & { speech: SpeechSegment },
  signal: AbortSignal,
): Promise<ReadSegment | null> {
  const read = await readWords(listener, { ...evidence, samples: speech.samples }, signal);
  if (read === null || read.words.length === 0) return read && { ...read, segment: null };
  const segment = await toReadSegment(speech, read.words, evidence.language);
  return segment && { ...read, segment };
}

/**
 * Mean log-probability of symbols above which a voice is known: 0 to -0.1 for the synthetic voices
 * of the training, below -0.2 for all sentences of people in the development set.
 */
const KNOWN_VOICE_LOGP = -0.15;

/**
 * Returns true for a voice like those that the acoustic models were trained on, which they hear
 * nearly without errors; people they do not understand.
 */
export function isVoiceKnown({ symbolLogp, frameCount }: Posteriors, labels: AcousticLabels): boolean {
  const evidence = symbolEvidence(symbolLogp, { frameCount, width: symbolCount(labels), frameMs: labels.frameMs });
  return evidence.symbolShare > 0 && evidence.symbolLogp > KNOWN_VOICE_LOGP;
}
