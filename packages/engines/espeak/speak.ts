import type { SynthesisEvent, SynthesisRequest } from '@jyutsing/contracts/synthesizer';
import { schedulePhrase } from './schedule.ts';
import { gainFor, type EngineLoudness } from '#engines/runtime/loudness.ts';
import { createProsodySampler, hashText } from '#engines/runtime/prosody-sampling.ts';
import type { EspeakDriver } from './espeak-driver.ts';
import { createF0Contour } from './f0-contour.ts';
import { planPhraseContour } from './phrase-f0-contour.ts';
import { createRenderer } from './renderer.ts';
import { addSilence, createTimeline } from './timeline.ts';
import { createVoiceConversion } from './voice-conversion.ts';
import { createWordTimer } from './word-times.ts';

const LOUDNESS: EngineLoudness = { gainDb: 1.9, byOctaveDb: 0.3, byBrightness: 0.33 };
/** Milliseconds of silence before the first sound: players cut off an immediate start. */
const LEAD_MS = 25;
/**
 * Milliseconds of audio that are rendered only when the next call is known: F0 approaches later
 * targets and sources are cross-faded.
 */
const HELD_BACK_MS = 45;
/** Length of the silence for a request without speakable text, in milliseconds. */
const NOTHING_MS = 100;

/**
 * Synthesizes the pieces of a request as a stream: espeak-ng renders a few words per call in a
 * monotone; they are analyzed into frames, get durations, an F0 contour and the voice of the
 * profile, and are resynthesized. An aborted signal throws its reason; throws `engine_failed` when
 * espeak-ng fails.
 */
export async function* speak(
  driver: EspeakDriver,
  { pieces, voice, language, speed, pitchSemitones, temperature, topP, seed: requestSeed }: SynthesisRequest,
  signal: AbortSignal,
  conversion = createVoiceConversion(voice.profile, { language, pitchSemitones }),
): AsyncGenerator<SynthesisEvent> {
  signal.throwIfAborted();
  const seed = temperature > 0 ? hashText(pieces.map(({ spokenForm }) => spokenForm).join('\n'), requestSeed) : 0;
  const sampler = createProsodySampler({ seed, temperature, topP });
  const timeline = createTimeline();
  const contour = createF0Contour(speed);
  const renderer = createRenderer(
    { timeline, conversion, contour, seed, gain: gainFor(voice.profile, LOUDNESS) },
    signal,
  );
  const context = { driver, timeline, sampler, speed, syllableMs: conversion.syllableMs / speed };
  let hasSpoken = false;
  for (const piece of pieces) {
    addSilence(timeline, LEAD_MS / speed);
    for (const [index, phrase] of piece.phrases.entries()) {
      const wordTimer = createWordTimer(phrase.words);
      const plan = planPhraseContour(phrase, index, sampler);
      for (const { syllables, startMs, endMs, isFirst, isLast } of schedulePhrase(context, phrase, plan, !hasSpoken)) {
        hasSpoken = true;
        if (isFirst) {
          yield* renderer.renderUntil(startMs);
          contour.reset();
        }
        for (const { syllable, aim } of syllables) {
          signal.throwIfAborted();
          contour.add(syllable, aim);
          yield* wordTimer.add(syllable);
        }
        yield* renderer.renderUntil(isLast ? timeline.endMs() : endMs - HELD_BACK_MS);
      }
      signal.throwIfAborted();
      yield* wordTimer.end();
    }
  }
  if (!hasSpoken) addSilence(timeline, NOTHING_MS);
  yield* renderer.renderUntil(timeline.endMs());
  yield* renderer.end();
}
