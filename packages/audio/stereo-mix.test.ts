import { beforeAll, describe, expect, it } from 'vitest';
import { noise } from '#testbed/sound/audio.ts';
import { resample, speak } from '#testbed/sound/espeak-speech.ts';
import { makeNotSpeech } from '#testbed/sound/not-speech.ts';
import { joinSamples } from './join-samples.ts';
import { createStereoMix } from './stereo-mix.ts';

const RATE_HZ = 16_000;
const LOOKAHEAD_MS = 2_000;
let speech: Float32Array;

beforeAll(async () => {
  const { channels } = await speak('gam1 jat6 tin1 hei3 hou2 hou2 , ngo5 dei6 heoi3 gung1 jyun2 haang4 haa5');
  speech = resample(channels[0]!, 24_000, RATE_HZ);
});

type Stereo = { left: Float32Array; right: Float32Array };

function mix({ left, right }: Stereo, lookaheadMs = LOOKAHEAD_MS, pieceLength = 341): Float32Array {
  const mean = left.map((sample, i) => (sample + right[i]!) / 2);
  const difference = left.map((sample, i) => (sample - right[i]!) / 2);
  const stereo = createStereoMix(RATE_HZ, lookaheadMs);
  const pieces: Float32Array[] = [];
  for (let at = 0; at < left.length; at += pieceLength) {
    const end = at + pieceLength;
    pieces.push(stereo.push(mean.subarray(at, end), difference.subarray(at, end)).slice());
  }
  return joinSamples([...pieces, stereo.flush()]);
}

const product = (a: Float32Array, b: Float32Array) => a.reduce((sum, sample, i) => sum + sample * b[i]!, 0);
/** Correlation of two sounds at lag 0: 1 for equal ones. */
function likeness(a: Float32Array, b: Float32Array): number {
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b) + 1e-12);
}

const rms = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
/** Makes a sound `db` louder than the speech. */
function louder(samples: Float32Array, db: number): Float32Array {
  const gain = (rms(speech) / rms(samples)) * 10 ** (db / 20);
  return samples.map((sample) => gain * sample);
}
const hiss = (db: number, seed: number) => {
  const all = noise(2 * (speech.length / 16) + 2_000, 1).channels[0]!;
  return louder(all.subarray(seed * speech.length, (seed + 1) * speech.length), db);
};
/** The speech in both channels, multiplied on the right by the factor at each place, 0 to 1. */
const withRight = (factor: (place: number) => number): Stereo => ({
  left: speech,
  right: speech.map((sample, i) => sample * factor(i / speech.length)),
});

describe('a sentence', () => {
  it('is in the mix of two channels, whatever their phase', () => {
    const rows: [string, () => Stereo][] = [
      ['the same twice', () => withRight(() => 1)],
      ['in opposite phase', () => withRight(() => -1)],
      ['in opposite phase, weaker', () => withRight(() => -0.98)],
      ['in opposite phase, much weaker', () => withRight(() => -0.6)],
      ['in one channel', () => withRight(() => 0)],
      ['in opposite phase from the middle on', () => withRight((place) => (place > 0.5 ? -1 : 1))],
      ['in opposite phase up to the middle', () => withRight((place) => (place < 0.5 ? -1 : 1))],
      ['in opposite phase in between', () => withRight((place) => (place > 0.3 && place < 0.6 ? -0.9 : 1))],
      ['in changing phase', () => withRight((place) => (Math.floor(place * 9) % 2 === 0 ? -1 : 1))],
      ['in one channel, then in opposite phase', () => withRight((place) => (place < 0.5 ? 0 : -1))],
      [
        'in opposite phase with noise in each channel',
        () => {
          const [ofLeft, ofRight] = [hiss(-20, 0), hiss(-20, 1)];
          return {
            left: speech.map((sample, i) => ofLeft[i]! + sample),
            right: speech.map((sample, i) => ofRight[i]! - sample),
          };
        },
      ],
      [
        'in opposite phase with an offset',
        () => ({ left: speech.map((sample) => sample + 0.1), right: speech.map((sample) => 0.1 - sample) }),
      ],
      [
        'in phase with opposite offsets',
        () => ({ left: speech.map((sample) => sample + 0.2), right: speech.map((sample) => sample - 0.2) }),
      ],
      [
        'of one microphone with opposite phase, 0.1 ms later',
        () => ({
          left: speech,
          right: speech.map((_, i) => -0.4 * speech[Math.max(0, i - 1)]! - 0.6 * (speech[i - 2] ?? 0)),
        }),
      ],
    ];
    const lost = rows.flatMap(([name, make]) => {
      const alike = likeness(mix(make()), speech);
      return alike > 0.95 ? [] : [`${name}: ${alike.toFixed(3)}`];
    });
    expect(lost).toEqual([]);
  });

  it('in the center is kept while music in opposite phase is louder', () => {
    const lost = ['piano', 'organ', 'strings', 'band', 'pads'].flatMap((kind) => {
      const music = louder(makeNotSpeech(kind, 5, speech.length / 16), 6);
      const mixed = mix({
        left: speech.map((sample, i) => sample + music[i]!),
        right: speech.map((sample, i) => sample - music[i]!),
      });
      const alike = likeness(mixed, speech);
      return alike > 0.97 ? [] : [`${kind}: ${alike.toFixed(3)}`];
    });
    expect(lost).toEqual([]);
  });

  it('on one side with music on the other is mixed by the mean', () => {
    const music = louder(makeNotSpeech('band', 5, speech.length / 16), 0);
    const mean = speech.map((sample, i) => (sample + music[i]!) / 2);
    expect(likeness(mix({ left: speech, right: music }), mean)).toBeGreaterThan(0.999);
  });
});

describe('the mix', () => {
  it('has no click where the phase changes', () => {
    const tone = Float32Array.from(
      { length: 2 * RATE_HZ },
      (_, i) => 0.5 * Math.sin((2 * Math.PI * 200 * i) / RATE_HZ),
    );
    const changes = tone.map((sample, i) => (i > 20_003 ? -sample : sample));
    const mixed = mix({ left: tone, right: changes });
    const steps = mixed.subarray(1).map((sample, i) => Math.abs(sample - mixed[i]!));
    // A tone of 200 Hz moves by 0.04 from one sample to the next; half of it may cancel for 10 ms.
    expect(steps.subarray(0, 19_990).reduce((most, step) => Math.max(most, step), 0)).toBeLessThan(0.04);
    expect(steps.subarray(20_100).reduce((most, step) => Math.max(most, step), 0)).toBeLessThan(0.05);
  });

  it('does not depend on the lengths of the pieces', () => {
    const stereo = withRight((place) => (place > 0.5 ? -1 : 1));
    const [short, long] = [100, 50_000].map((length) => mix(stereo, LOOKAHEAD_MS, length));
    expect(Buffer.from(short!.buffer).equals(Buffer.from(long!.buffer))).toBe(true);
  });

  it('lags by its look-ahead and 10 ms at most, and keeps every sample', () => {
    for (const lookaheadMs of [0, 100, LOOKAHEAD_MS]) {
      const stereo = createStereoMix(RATE_HZ, lookaheadMs);
      let written = 0;
      for (let at = 341; at < 60_000; at += 341) {
        written += stereo.push(new Float32Array(341), new Float32Array(341)).length;
        expect(at - written).toBeLessThanOrEqual((lookaheadMs + 10) * 16);
      }
      expect(written + stereo.flush().length).toBe(Math.floor(60_000 / 341) * 341);
    }
  });

  it('without look-ahead takes the difference after a second', () => {
    const opposite = joinSamples([speech, speech]);
    const mixed = mix({ left: opposite, right: opposite.map((sample) => -sample) }, 0);
    expect(likeness(mixed.subarray(RATE_HZ), opposite.subarray(RATE_HZ))).toBeGreaterThan(0.97);
  });
});
