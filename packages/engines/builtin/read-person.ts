import type { Language, Segment } from '@jyutsing/contracts/transcript';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import { symbolCount, type AcousticLabels, type Posteriors } from './decoder/index.ts';
import { symbolEvidence } from './language-evidence.ts';
import type { Listener } from './listener/listener.ts';
import { toReadSegment } from './segment-text.ts';

/** A stretch of speech and what the acoustic model of its language heard in it. */
type HeardSpeech = { speech: SpeechSegment; language: Language; posteriors: Posteriors; labels: AcousticLabels };

/**
 * Returns what the listener reads of a person, null for nothing; undefined where the acoustic model
 * answers: it knows the voice, or the text of the listener is not to be trusted.
 */
export async function readPerson(
  listener: Listener | null,
  { speech, language, posteriors, labels }: HeardSpeech,
  signal: AbortSignal,
): Promise<Segment | null | undefined> {
  if (listener === null || isVoiceKnown(posteriors, labels)) return undefined;
  const { words, isSilent, isTrusted } = await listener.read(speech.samples, language, signal);
  if (isSilent) return null;
  return isTrusted ? ((await toReadSegment(speech, words, language)) ?? undefined) : undefined;
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
function isVoiceKnown({ symbolLogp, frameCount }: Posteriors, labels: AcousticLabels): boolean {
  const evidence = symbolEvidence(symbolLogp, { frameCount, width: symbolCount(labels), frameMs: labels.frameMs });
  return evidence.symbolShare > 0 && evidence.symbolLogp > KNOWN_VOICE_LOGP;
}
