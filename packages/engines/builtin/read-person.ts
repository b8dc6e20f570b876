import type { Language, Segment } from '@jyutsing/contracts/transcript';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import { symbolCount, type AcousticLabels, type Posteriors, type SyllableAlternatives } from './decoder/index.ts';
import { symbolEvidence } from './language-evidence.ts';
import type { Listener } from './listener/listener.ts';
import { toReadSegment } from './segment-text.ts';

/** A stretch of speech and what the acoustic model of its language heard in it. */
type HeardSpeech = { speech: SpeechSegment; language: Language; posteriors: Posteriors; labels: AcousticLabels };

/** The segment that the listener reads, null for nothing, and the syllables that it heard. */
type ReadByListener = { segment: Segment | null; syllables(): SyllableAlternatives[] };

/**
 * Returns what the listener reads of a person; null where the acoustic model answers: it knows the
 * voice, or the text of the listener is not to be trusted.
 */
export async function readPerson(
  listener: Listener | null,
  { speech, language, posteriors, labels }: HeardSpeech,
  signal: AbortSignal,
): Promise<ReadByListener | null> {
  if (listener === null || isVoiceKnown(posteriors, labels)) return null;
  const sound = await listener.hear(speech.samples);
  const read = await listener.read(sound, language, signal);
  const syllables = () => (language === 'english' ? [] : listener.recognizeSyllables(sound, language));
  if (read.isSilent) return { segment: null, syllables };
  const segment = read.isTrusted ? await toReadSegment(speech, read.words, language) : null;
  return segment && { segment, syllables };
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
