import { amplify } from '@jyutsing/audio/encoding/sample-values';
import type { SpokenWord, StyleChange } from '@jyutsing/contracts/spoken-text';
import type { SpeechStyle, SpokenTime, SynthesisEvent, SynthesizerCapabilities } from '@jyutsing/contracts/synthesizer';
import type { Manner } from '@jyutsing/text/normalization/split-by-style';
import { SPEED_BOUNDS } from '#features/synthesis/make-speech-file.ts';

/** Semitones that a model may be asked for. */
const MAX_SEMITONES = 12;

/** How a model of these capabilities speaks the words of a text, for `splitByStyle`. */
export function mannersFor({ adjusts, leaves = [] }: SynthesizerCapabilities): (word: SpokenWord) => Manner {
  return ({ style = null, language }) => ({
    style: possibleChange(style, adjusts),
    leftTo: leaves.includes(language) ? language : null,
  });
}

/** The part of a change that a model can make; null: none. */
function possibleChange(
  change: StyleChange | null,
  { speed, pitch }: SynthesizerCapabilities['adjusts'],
): StyleChange | null {
  if (change === null) return null;
  const rate = speed ? change.rate : 1;
  const semitones = pitch ? change.semitones : 0;
  return rate === 1 && semitones === 0 && change.gain === 1 ? null : { rate, semitones, gain: change.gain };
}

/** The style within the bounds of what models accept. */
export function changedStyle(style: SpeechStyle, change: StyleChange | null): SpeechStyle {
  if (change === null) return style;
  const speed = Math.min(SPEED_BOUNDS.max, Math.max(SPEED_BOUNDS.min, style.speed * change.rate));
  const pitchSemitones = style.pitchSemitones + change.semitones;
  return { ...style, speed, pitchSemitones: Math.min(MAX_SEMITONES, Math.max(-MAX_SEMITONES, pitchSemitones)) };
}

/** The event later and louder: `startMs` is when its call began. */
export function changedEvent(
  event: SynthesisEvent,
  { startMs, gain }: { startMs: number; gain: number },
): SynthesisEvent {
  if (event.type === 'audio') return gain === 1 ? event : { type: 'audio', samples: amplify(event.samples, gain) };
  if (startMs === 0) return event;
  const later = (time: SpokenTime) => ({ ...time, startMs: time.startMs + startMs, endMs: time.endMs + startMs });
  return { type: 'word', word: later(event.word), syllables: event.syllables.map(later) };
}
