import { setTimeout as sleep } from 'node:timers/promises';
import { toInt16 } from '@jyutsing/audio/encoding/sample-values';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { AppError } from '@jyutsing/contracts/errors';
import type { SpokenPiece } from '@jyutsing/contracts/spoken-text';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import type { SpeechStages } from '#server/features/synthesis/speech-service.ts';
import type { Speech, SpeechEvent, SpeechModel, SpeechPart } from '#server/features/synthesis/speech.ts';
import type { SpeakingState } from './speaking-state.ts';

/** Synthesizes a tone for each character; can change the speed itself. */
export const TONES: SpeechModel = {
  ability: 'synthesizer',
  engine: 'tones',
  model: 'tones',
  version: '1',
  capabilities: {
    languages: { cantonese: 60, english: 40 },
    clones: 'profile',
    unit: 'piece',
    readings: true,
    wordTimes: true,
    adjusts: { speed: true, pitch: false },
    placement: 'worker',
  },
};

/** Like a remote server: whole texts, voice samples, no word times, no adjustments. */
export const SERVER_TONES: SpeechModel = {
  ability: 'synthesizer',
  engine: 'server-tones',
  model: 'server-tones',
  version: '1',
  capabilities: {
    languages: { mandarin: 40, cantonese: 20 },
    clones: 'reference',
    unit: 'text',
    readings: false,
    wordTimes: false,
    adjusts: { speed: false, pitch: false },
    placement: 'server',
  },
};

/** Texts that make the synthesizer fail at once, fail later, or end without audio. */
export const FAILURES = { atOnce: 'UNREACHABLE', later: 'BREAK', silent: 'SILENT' } as const;

export function speakTones(state: SpeakingState): Pick<SpeechStages, 'speak' | 'chooseModel'> {
  return {
    speak: (speech, signal) => tones(speech, signal, state),
    chooseModel(language, preference) {
      if (state.isSynthesisMissing) throw new AppError('engine_unavailable');
      const models = [TONES, SERVER_TONES].filter(({ model }) => preference === 'auto' || preference === model);
      if (models.length === 0) throw new AppError('model_not_found');
      const able = models.find(({ capabilities }) => capabilities.languages[language] !== undefined);
      if (able === undefined) throw new AppError('invalid_parameter', 'The model does not speak that language.');
      return able;
    },
  };
}

async function* tones(speech: Speech, signal: AbortSignal, state: SpeakingState): AsyncGenerator<SpeechEvent> {
  state.calls.push(speech);
  state.speaking += 1;
  state.maxSpeaking = Math.max(state.maxSpeaking, state.speaking);
  try {
    const text = speech.text.parts.map(writtenTextOf).join('');
    if (text.includes(FAILURES.atOnce)) throw new AppError('engine_unavailable', 'The server is unreachable.');
    if (text.includes(FAILURES.silent)) return;
    const characterMs = state.characterMs / (speech.model.model === TONES.model ? speech.style.speed : 1);
    let startMs = 0;
    for (const char of text) {
      while (state.speechIsHeld) await sleep(5, undefined, { signal });
      if (state.paceMs > 0) await sleep(state.paceMs, undefined, { signal });
      await yieldToEventLoop();
      signal.throwIfAborted();
      const samples = toInt16(tone(characterMs));
      state.spokenSamples += samples.length;
      yield { type: 'audio', samples };
      const word = { text: char, startMs, endMs: startMs + characterMs };
      startMs += characterMs;
      if (speech.model.model === TONES.model) yield { type: 'word', word, syllables: [] };
      if (text.includes(FAILURES.later) && startMs >= 5 * characterMs) throw new AppError('engine_failed');
    }
  } catch (thrown) {
    signal.throwIfAborted();
    throw thrown;
  } finally {
    state.speaking -= 1;
  }
}

function writtenTextOf(part: SpeechPart): string {
  return isSpokenPiece(part)
    ? part.phrases.flatMap(({ words }) => words.map(({ written }) => written)).join('')
    : part.text;
}

function isSpokenPiece(part: SpeechPart): part is SpokenPiece {
  return 'phrases' in part;
}

/** 440 Hz with peaks above the range of 16 bits. */
function tone(durationMs: number): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(Math.round((durationMs / 1_000) * SYNTHESIS_SAMPLE_RATE_HZ));
  const period = Math.round(SYNTHESIS_SAMPLE_RATE_HZ / 440);
  for (let i = 0; i < period; i += 1) samples[i] = 1.2 * Math.sin((2 * Math.PI * i) / period);
  for (let i = period; i < samples.length; i += period) samples.copyWithin(i, 0, Math.min(period, samples.length - i));
  return samples;
}
