import type { SynthesisEvent, SynthesisRequest } from '@jyutsing/contracts/synthesizer';
import { arrangePhrase } from './schedule.ts';
import { createDraws, hashText } from './prosody-sampling.ts';
import type { EspeakDriver } from './espeak-driver.ts';
import { createMelody } from './f0-contour.ts';
import { planMelody } from './phrase-f0-contour.ts';
import { createRenderer } from './renderer.ts';
import { addRest, createScore } from './timeline.ts';
import { createSpeaker } from './voice-conversion.ts';
import { createWordTeller } from './word-times.ts';

/** Before the first sound of a piece: what begins at once is cut by players. */
const LEAD_MS = 25;
/** Rendered only when the call after it is known: pitch aims ahead and sources go over into each other. */
const HELD_BACK_MS = 45;
/** A request of which nothing can be said still has a sound. */
const NOTHING_MS = 100;

/**
 * Speaks the pieces of a request as it goes along: call by call espeak-ng says a few words in a monotone, they are taken apart into
 * frames, get the times and the melody of speech and the voice of the speaker, and are put together again. An aborted signal throws
 * its reason; `engine_failed` where espeak-ng fails.
 */
export async function* speak(
  driver: EspeakDriver,
  { pieces, voice, language, speed, pitchSemitones, temperature, topP, seed: asked }: SynthesisRequest,
  signal: AbortSignal,
  speaker = createSpeaker(voice.profile, { language, pitchSemitones }),
): AsyncGenerator<SynthesisEvent> {
  signal.throwIfAborted();
  const seed = temperature > 0 ? hashText(pieces.map(({ spokenForm }) => spokenForm).join('\n'), asked) : 0;
  const draws = createDraws({ seed, temperature, topP });
  const score = createScore();
  const melody = createMelody(speed);
  const renderer = createRenderer({ score, speaker, melody, seed }, signal);
  const arranging = { driver, score, draws, speed, syllableMs: speaker.syllableMs / speed };
  let isSaid = false;
  for (const piece of pieces) {
    addRest(score, LEAD_MS / speed);
    for (const [index, phrase] of piece.phrases.entries()) {
      const teller = createWordTeller(phrase.words);
      const plan = planMelody(phrase, index, draws);
      for (const { syllables, startMs, endMs, isFirst, isLast } of arrangePhrase(arranging, phrase, plan, !isSaid)) {
        isSaid = true;
        if (isFirst) {
          yield* renderer.renderUntil(startMs);
          melody.reset();
        }
        for (const { syllable, aim } of syllables) {
          signal.throwIfAborted();
          melody.add(syllable, aim);
          yield* teller.add(syllable);
        }
        yield* renderer.renderUntil(isLast ? score.endMs() : endMs - HELD_BACK_MS);
      }
      signal.throwIfAborted();
      yield* teller.end();
    }
  }
  if (!isSaid) addRest(score, NOTHING_MS);
  yield* renderer.renderUntil(score.endMs());
  yield* renderer.end();
}
