import { AppError } from '@jyutsing/contracts/errors';
import type { SpeechStyle, SynthesizerCapabilities } from '@jyutsing/contracts/synthesizer';
import { tokenizePiece } from '@jyutsing/text/normalization/tokenize';
import type { Speech, SpeechEvent, SpeechPart } from '#server/features/synthesis/speech.ts';

/** A model that takes pieces, returns word times and adjusts nothing. */
const CAPABILITIES: SynthesizerCapabilities = {
  languages: { cantonese: 50 },
  clones: 'profile',
  unit: 'piece',
  readings: false,
  wordTimes: true,
  adjusts: { speed: false, pitch: false },
  placement: 'worker',
};

const partsOf = (...texts: string[]): SpeechPart[] => texts.map((text) => tokenizePiece(text, 'cantonese'));

/** A synthesis request for a model with these capabilities. */
export function speechOf(texts: readonly string[], change: Partial<SynthesizerCapabilities> = {}): Speech {
  const profile = {
    version: 1,
    pitchMedianHz: 200,
    pitchLowSemitones: -3,
    pitchHighSemitones: 4,
    formantsHz: [500, 1_500, 2_500] as const,
    voicedBandsDb: [],
    unvoicedBandsDb: [],
    noiseShares: [],
    syllablesPerSecond: 4,
    timbre: '',
  };
  return {
    accountId: 'account',
    text: {
      language: 'cantonese',
      parts: partsOf(...texts),
      pausesMs: [0, ...texts.map(() => 0)],
      marks: [],
      fromSimplified: false,
      beside: { before: [], after: [] },
      lexicon: [],
    },
    model: {
      ability: 'synthesizer',
      engine: 'test',
      model: 'test',
      version: '1',
      capabilities: { ...CAPABILITIES, ...change },
    },
    voice: { id: 'v', profile, reference: null },
    style: { temperature: 0, topP: 1, speed: 1, pitchSemitones: 0 },
    seed: 1,
  };
}

export function withStyle(speech: Speech, changes: Partial<SpeechStyle>): Speech {
  return { ...speech, style: { ...speech.style, ...changes } };
}

export function audio(length: number, value = 16_384): SpeechEvent {
  return { type: 'audio', samples: new Int16Array(length).fill(value) };
}

export function word(text: string, startMs: number, endMs: number): SpeechEvent {
  return { type: 'word', word: { text, startMs, endMs }, syllables: [{ text: `${text}1`, startMs, endMs }] };
}

export const CLIENT_DISCONNECTED = new AppError('client_closed_request');
