import { describe, expect, it } from 'vitest';
import type { VoiceProfile } from '@jyutsing/contracts/voice';
import { analyzeSpeech } from '#audio/vocoder/analyze-speech.ts';
import { ENVELOPE_BINS, NOISE_BANDS, type SpeechFrames } from '#audio/vocoder/speech-frames.ts';
import { speak } from '#testbed/sound/espeak-speech.ts';
import { measureFrames } from './measure-voice.ts';
import { decodeTimbre, encodeTimbre } from './timbre.ts';
import { createVoiceTransform, CONTOUR_SPAN_SEMITONES } from './voice-transform.ts';

const LONG = 'gam1 jat6 tin1 hei3 hou2 hou2 , ngo5 dei6 heoi3 gung1 jyun2 haang4 haa5 , keoi5 zung1 ji3 jam2 kaa3 fe1';
const samples = (await speak(LONG)).channels[0]!;
const frames = analyzeSpeech(samples, 24_000);
const source = measureFrames(frames);
/** Simulate another vocal tract: the same sound played faster has higher resonances. */
const target = measureFrames(analyzeSpeech(samples, 28_800));

function converted(to: VoiceProfile): SpeechFrames {
  const { transform } = createVoiceTransform(source, to);
  const copy = { ...frames, envelopeDb: frames.envelopeDb.slice(), noiseShares: frames.noiseShares.slice() };
  for (let frame = 0; frame < copy.count; frame += 1) {
    transform(
      copy.envelopeDb.subarray(frame * ENVELOPE_BINS, (frame + 1) * ENVELOPE_BINS),
      copy.noiseShares.subarray(frame * NOISE_BANDS, (frame + 1) * NOISE_BANDS),
      copy.pitchHz[frame]! > 0,
    );
  }
  return copy;
}

/** Returns the mean over three formants of their distance from the target's. */
const formantError = (of: VoiceProfile) =>
  of.formantsHz.reduce((sum, hz, i) => sum + Math.abs(hz / target.formantsHz[i]! - 1) / 3, 0);

/** Returns all noise in the clone of a voice with this share of it. */
const shareOf = (noise: number) => {
  const { noiseShares } = converted({ ...target, timbre: '', noiseShares: target.noiseShares.map(() => noise) });
  expect(noiseShares.every((share) => share >= 0 && share <= 1)).toBe(true);
  return noiseShares.reduce((sum, share) => sum + share, 0);
};

describe('a voice turned into another', () => {
  it.each([
    ['with its typical sounds', target],
    ['of which only means are known', { ...target, timbre: '' }],
    ['whose typical sounds are malformed', { ...target, timbre: 'AAAA' }],
  ])('%s has its formants', (_, to) => {
    const clone = measureFrames(converted(to));
    expect(formantError(clone)).toBeLessThan(0.08);
    expect(formantError(clone)).toBeLessThan(formantError(source));
  });

  it('has its mean spectrum', () => {
    const clone = measureFrames(converted(target));
    const distance = (voice: VoiceProfile) =>
      voice.voicedBandsDb.reduce((sum, level, band) => sum + Math.abs(level - target.voicedBandsDb[band]!) / 40, 0);
    expect(distance(clone)).toBeLessThan(2.5);
    expect(distance(clone)).toBeLessThan(distance(source));
  });

  it('stays itself where source and target are one', () => {
    const clone = converted({ ...source, timbre: '' });
    let difference = 0;
    for (const [i, level] of clone.envelopeDb.entries()) difference += Math.abs(level - frames.envelopeDb[i]!);
    expect(difference / clone.envelopeDb.length).toBeLessThan(0.1);
  });

  it('gains breathiness from a breathy voice and loses it to a clear one, between 0 and 1', () => {
    expect(shareOf(0.9)).toBeGreaterThan(shareOf(0.05));
  });

  it('stays finite for any profile', () => {
    const bands = target.voicedBandsDb.map((_, band) => (band % 2 === 0 ? 1e6 : -1e6));
    const wild = { ...target, formantsHz: [1, 1, 1] as const, voicedBandsDb: bands, unvoicedBandsDb: bands };
    expect(converted(wild).envelopeDb.every(Number.isFinite)).toBe(true);
  });
});

const voice = (low: number, high: number) => ({ ...target, pitchLowSemitones: low, pitchHighSemitones: high });

describe('the register of a voice', () => {
  it('has its median in the middle, and tones keep their order and at least most of their distance', () => {
    for (const to of [voice(-0.1, 0.1), voice(-3, 4), voice(-14, 14)]) {
      const { pitchOf } = createVoiceTransform(source, to);
      expect(pitchOf(0)).toBeCloseTo(target.pitchMedianHz, 5);
      const high = 12 * Math.log2(pitchOf(4) / pitchOf(0));
      expect(high).toBeGreaterThanOrEqual(3);
      expect(high).toBeLessThanOrEqual(6);
    }
  });

  it('of an average range keeps the span of the contour', () => {
    const { pitchOf } = createVoiceTransform(source, voice(-CONTOUR_SPAN_SEMITONES / 2, CONTOUR_SPAN_SEMITONES / 2));
    expect(12 * Math.log2(pitchOf(5) / pitchOf(0))).toBeCloseTo(5, 5);
  });
});

it('typical sounds survive being written down', () => {
  const timbre = decodeTimbre(target.timbre)!;
  expect(encodeTimbre(timbre)).toBe(target.timbre);
  expect(timbre.backgroundDb).toHaveLength(40);
  expect(Math.max(...timbre.voiced)).toBeLessThan(64);
});

it.each(['', 'AAAA', '!!!', 'fwAA'])('"%s" is treated as no timbre', (encoded) => {
  expect(decodeTimbre(encoded)).toBeNull();
});
