import { inMs, type Speech, type SpeechText, type StreamEvent } from './speech.ts';

/** How much of a speech is made: its sound, the share of its text, and the longest part so far. */
export type MadeSpeech = { madeMs: number; share: number; longestPartMs: number };

/** The rest may take this much longer than the beginning did. */
const MARGIN = 1.15;

/** Whether a model of the speech may be slower than its sound. */
export function mayStall({ model, text }: Pick<Speech, 'model' | 'text'>): boolean {
  const models = [model, ...text.parts.flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker.model]))];
  return models.some(({ capabilities }) => capabilities.maySpeakSlowly === true);
}

/**
 * Passes a speech on once the rest of it will be made before it is heard, so that a slow model
 * makes a listener wait once, at the beginning. `made` is read after each event.
 */
export async function* startInTime(
  events: AsyncIterable<StreamEvent>,
  made: Pick<MadeSpeech, 'share' | 'longestPartMs'>,
  now: () => number = () => performance.now(),
): AsyncGenerator<StreamEvent> {
  const beganMs = now();
  let held: StreamEvent[] = [];
  let isStarted = false;
  let madeMs = 0;
  for await (const event of events) {
    if (isStarted) {
      yield event;
      continue;
    }
    held.push(event);
    if (event.type === 'audio') madeMs += inMs(event.samples.length);
    isStarted = isInTime({ ...made, madeMs }, now() - beganMs);
    if (isStarted) {
      yield* held;
      held = [];
    }
  }
  yield* held;
}

/** Adds the parts that a model has spoken. */
export function noteMade(
  made: Pick<MadeSpeech, 'share' | 'longestPartMs'>,
  text: Pick<SpeechText, 'parts'>,
  { parts, soundMs }: Pick<SpeechText, 'parts'> & { soundMs: number },
): void {
  made.share = Math.min(1, made.share + lengthOf(parts) / lengthOf(text.parts));
  made.longestPartMs = Math.max(made.longestPartMs, soundMs);
}

/** The written length of parts, in UTF-16 units. */
function lengthOf(parts: SpeechText['parts']): number {
  return parts.reduce((sum, part) => sum + ('text' in part ? part.text : part.spokenForm).length, 0);
}

/**
 * Whether a listener who begins now hears no gap: the last part must be made while those before it
 * play. What the rest takes is estimated from the beginning.
 */
function isInTime({ madeMs, share, longestPartMs }: MadeSpeech, spentMs: number): boolean {
  if (share === 0 || madeMs === 0) return false;
  const restMs = (madeMs * (1 - share)) / share;
  const restTakesMs = restMs * (spentMs / madeMs) * MARGIN;
  return restTakesMs <= madeMs + restMs - Math.min(longestPartMs, restMs);
}
