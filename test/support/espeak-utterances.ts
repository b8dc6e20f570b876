import { median } from '@jyutsing/numeric/statistics';
import type { PhraseEnding, SpokenPiece, SpokenWord } from '@jyutsing/contracts/spoken-text';
import type { SynthesisEvent, SynthesisRequest, Synthesizer } from '@jyutsing/contracts/synthesizer';
import type { Language } from '@jyutsing/contracts/transcript';
import type { VoiceProfile } from '@jyutsing/contracts/voice';
import { trackPitch } from '@jyutsing/audio/voice/track-pitch';
import { SOURCE_PROFILE } from '#packages/engines/espeak/source-profile.ts';
import { engine } from '#packages/engines/espeak/synthesizer.ts';

/** A speaker of a middling register with the spectrum that espeak-ng has. */
export const speakerProfile: VoiceProfile = { ...SOURCE_PROFILE, pitchMedianHz: 130, timbre: '' };

const env = { builtinModelsDir: '', modelsDir: '', settings: {} };

export const openEngine = (): Promise<Synthesizer> => engine.open(env, engine.models(env)[0]!.name);

/** Makes words of readings with spaces between syllables; English words are used as they are. */
export function words(language: Language, ...texts: string[]): SpokenWord[] {
  return texts.map((text) => ({
    written: text,
    spokenForm: text,
    language,
    reading: language === 'english' ? [] : text.split(' '),
  }));
}

export function piece(phrase: SpokenWord[], ending: PhraseEnding = 'statement'): SpokenPiece {
  return {
    phrases: [{ words: phrase, ending }],
    spokenForm: phrase.map(({ spokenForm }) => spokenForm).join(' '),
    endsSentence: true,
  };
}

export function request(pieces: SpokenPiece[], options: Partial<SynthesisRequest> = {}): SynthesisRequest {
  const voice = { id: 'test', profile: speakerProfile, reference: null };
  return {
    pieces,
    language: 'cantonese',
    voice,
    temperature: 0,
    topP: 1,
    speed: 1,
    pitchSemitones: 0,
    seed: 1,
    ...options,
  };
}

type Said = {
  samples: Float32Array;
  durationMs: number;
  blocks: number[];
  words: Extract<SynthesisEvent, { type: 'word' }>[];
};

export async function say(synthesizer: Synthesizer, request: SynthesisRequest): Promise<Said> {
  const blocks: Float32Array[] = [];
  const reported: Said['words'] = [];
  for await (const event of synthesizer.synthesize(request, new AbortController().signal)) {
    if (event.type === 'audio') blocks.push(event.samples);
    else reported.push(event);
  }
  const samples = new Float32Array(blocks.reduce((length, block) => length + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    samples.set(block, at);
    at += block.length;
  }
  return { samples, durationMs: samples.length / 24, blocks: blocks.map(({ length }) => length), words: reported };
}

/** Voiced pitches between two times, in semitones above 100 Hz. */
export function pitchesOf(samples: Float32Array, fromMs = 0, toMs = Infinity): number[] {
  const { pitchHz } = trackPitch(samples, 24_000);
  return [...pitchHz]
    .filter((hz, frame) => hz > 0 && frame * 5 >= fromMs && frame * 5 <= toMs)
    .map((hz) => 12 * Math.log2(hz / 100));
}

/**
 * Median interval in semitones between two sounds of the same length, over moments where both are
 * voiced.
 */
export function intervalBetween(samples: Float32Array, otherSamples: Float32Array): number {
  const [high, low] = [samples, otherSamples].map((sound) => trackPitch(sound, 24_000).pitchHz);
  const both = [...high!].flatMap((hz, at) => (hz > 0 && low![at]! > 0 ? [12 * Math.log2(hz / low![at]!)] : []));
  return median(both);
}

/** Level of a stretch, dB below full scale. */
export function levelDb(samples: Float32Array, fromMs: number, toMs: number): number {
  let power = 1e-12;
  const part = samples.subarray(Math.round(fromMs * 24), Math.round(toMs * 24));
  for (const sample of part) power += (sample * sample) / part.length;
  return 10 * Math.log10(power);
}
