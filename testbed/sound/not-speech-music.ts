import { hits } from './not-speech-noises.ts';
import {
  between,
  blowNoise,
  composeTune,
  fading,
  falling,
  pick,
  playNote,
  semitones,
  type Kind,
  type Studio,
} from './synthesized-notes.ts';
/** A beat of its own. */
export function drums(studio: Studio, level: number): void {
  const { random, durationMs } = studio;
  const beatMs = between(random, 120, 280);
  const pattern = Array.from({ length: 8 }, () => pick(random, ['kick', 'snare', 'hat', 'hat', 'rest']));
  for (let beat = 0; beat * beatMs < durationMs; beat += 1) {
    const startMs = beat * beatMs;
    const drum = pattern[beat % 8];
    if (drum === 'kick' || beat % 8 === 0) {
      playNote(studio, {
        startMs,
        durationMs: 120,
        hz: between(random, 45, 65),
        level,
        partials: [1, 0.3],
        attackMs: 2,
        decayMs: 70,
        releaseMs: 20,
        glideSemitones: 18,
        glideMs: 40,
      });
    }
    if (drum === 'snare')
      blowNoise(studio, {
        hz: 1_800,
        widthHz: 2_500,
        startMs,
        durationMs: 200,
        level: level * 2,
        envelope: fading(50),
      });
    if (drum === 'hat')
      blowNoise(studio, {
        hz: 7_000,
        widthHz: 1_500,
        startMs,
        durationMs: 90,
        level: level * 1.5,
        envelope: fading(20),
      });
  }
}

/** Three or four notes at once, changing. */
export function chords(
  studio: Studio,
  partials: number[],
  attackMs: number,
  decayMs: number,
  vibratoSemitones = 0,
): void {
  const { random, durationMs } = studio;
  const root = between(random, 98, 260);
  const lengthMs = between(random, 450, 1_800);
  for (let startMs = 0; startMs < durationMs; startMs += lengthMs) {
    const base = semitones(root, pick(random, [0, 5, 7, 9, -3, 2]));
    for (const step of pick(random, [
      [0, 4, 7],
      [0, 3, 7],
      [0, 4, 7, 11],
      [0, 5, 7],
      [-12, 0, 4, 7],
    ])) {
      playNote(studio, {
        startMs,
        durationMs: lengthMs * 0.95,
        hz: semitones(base, step),
        level: 0.2,
        partials,
        attackMs,
        decayMs,
        releaseMs: 80,
        vibratoHz: between(random, 4.5, 6.5),
        vibratoSemitones,
      });
    }
  }
}

/** Makes a tune with each note made by `make`. */
export const tune = (
  studio: Studio,
  make: (random: () => number) => Omit<Parameters<typeof playNote>[1], 'startMs' | 'durationMs' | 'hz'>,
  range: Partial<Parameters<typeof composeTune>[1]> = {},
) => {
  const settings = { lowHz: 160, highHz: 1_000, shortestMs: 150, longestMs: 500, legato: 0.95, ...range };
  for (const note of composeTune(studio, settings)) playNote(studio, { ...note, ...make(studio.random) });
};

/** Instruments alone and together. */
export const MUSIC: Readonly<Record<string, Kind>> = {
  'tune of sines': (studio) =>
    tune(studio, () => ({ level: 1, partials: [1], attackMs: 10, decayMs: Infinity, releaseMs: 10 })),
  'synthesizer lead': (studio) =>
    tune(studio, (random) => ({
      level: 1,
      partials: falling(24, 1),
      attackMs: 8,
      decayMs: 900,
      releaseMs: 40,
      vibratoHz: 5.5,
      vibratoSemitones: between(random, 0, 0.4),
      glideSemitones: pick(random, [0, -2, 3]),
      glideMs: 40,
    })),
  piano: (studio) => {
    const slope = between(studio.random, 1, 1.8);
    for (const lowHz of [65, 200])
      tune(
        studio,
        (random) => ({
          level: between(random, 0.5, 1),
          partials: falling(14, slope),
          attackMs: 3,
          decayMs: between(random, 250, 700),
          releaseMs: 120,
        }),
        { lowHz, highHz: lowHz * 5 },
      );
  },
  strings: (studio) => {
    for (const lowHz of [130, 196])
      tune(
        studio,
        (random) => ({
          level: 0.8,
          partials: falling(20, 0.9),
          attackMs: between(random, 40, 140),
          decayMs: Infinity,
          releaseMs: 90,
          vibratoHz: between(random, 4.8, 6.5),
          vibratoSemitones: between(random, 0.15, 0.7),
        }),
        { lowHz, shortestMs: 250, longestMs: 900 },
      );
  },
  pads: (studio) => chords(studio, falling(10, 1.5), 200, Infinity, 0.08),
  organ: (studio) => chords(studio, [1, 0.8, 0.6, 0.5, 0, 0.3, 0, 0.3], 12, Infinity),
  'strummed chords': (studio) => chords(studio, falling(12, 1.1), 3, 350),
  drums: (studio) => drums(studio, 1),
  'plucked strings': (studio) =>
    tune(
      studio,
      (random) => ({
        level: 1,
        partials: falling(18, between(random, 0.8, 1.4)),
        attackMs: 1,
        decayMs: between(random, 100, 350),
        releaseMs: 30,
      }),
      { lowHz: 82, highHz: 600 },
    ),
  flute: (studio) => {
    tune(
      studio,
      (random) => ({
        level: 1,
        partials: [1, 0.4, 0.15, 0.05],
        attackMs: 50,
        decayMs: Infinity,
        releaseMs: 50,
        vibratoHz: 5.2,
        vibratoSemitones: between(random, 0.1, 0.4),
        tremoloDepth: 0.25,
      }),
      { lowHz: 290, highHz: 1_600 },
    );
    blowNoise(studio, {
      hz: 2_000,
      widthHz: 3_000,
      startMs: 0,
      durationMs: studio.durationMs,
      level: 0.03,
      envelope: () => 1,
    });
  },
  brass: (studio) =>
    tune(
      studio,
      (random) => ({
        level: 1,
        partials: [0.5, 0.8, 1, 0.9, 0.7, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1],
        attackMs: between(random, 30, 70),
        decayMs: 1_500,
        releaseMs: 50,
        vibratoHz: 5,
        vibratoSemitones: 0.2,
        glideSemitones: -0.7,
        glideMs: 60,
      }),
      { lowHz: 110, highHz: 600 },
    ),
  band: (studio) => {
    drums(studio, 0.9);
    tune(studio, () => ({ level: 0.8, partials: falling(8, 1.3), attackMs: 5, decayMs: 400, releaseMs: 30 }), {
      lowHz: 50,
      highHz: 130,
    });
    chords(studio, falling(12, 1.1), 10, 600);
    if (studio.random() < 0.7)
      tune(
        studio,
        () => ({
          level: 0.7,
          partials: falling(16, 1),
          attackMs: 15,
          decayMs: 900,
          releaseMs: 40,
          vibratoHz: 5.5,
          vibratoSemitones: 0.3,
        }),
        { lowHz: 260 },
      );
  },
  'two voices of reeds': (studio) => {
    for (const lowHz of [150, 230])
      tune(
        studio,
        () => ({ level: 0.7, partials: falling(16, 0.8, true), attackMs: 30, decayMs: Infinity, releaseMs: 30 }),
        { lowHz, highHz: 900 },
      );
  },
  marimba: (studio) =>
    tune(
      studio,
      () => ({ level: 1, partials: [1, 0, 0, 0.35, 0, 0, 0, 0, 0, 0.1], attackMs: 2, decayMs: 120, releaseMs: 20 }),
      { shortestMs: 90, longestMs: 250 },
    ),
  'bass and drums': (studio) => {
    drums(studio, 1);
    tune(
      studio,
      () => ({
        level: 1,
        partials: falling(12, 1),
        attackMs: 6,
        decayMs: 300,
        releaseMs: 30,
        glideSemitones: 1,
        glideMs: 30,
      }),
      { lowHz: 45, highHz: 160 },
    );
  },
  'bowed glides': (studio) =>
    tune(
      studio,
      (random) => ({
        level: 1,
        partials: falling(20, 0.9),
        attackMs: 60,
        decayMs: Infinity,
        releaseMs: 60,
        vibratoHz: 6,
        vibratoSemitones: 0.5,
        glideSemitones: between(random, -4, 4),
        glideMs: 160,
      }),
      { lowHz: 190, shortestMs: 220, longestMs: 600 },
    ),
  accordion: (studio) => {
    tune(studio, () => ({
      level: 0.8,
      partials: falling(20, 0.6),
      attackMs: 25,
      decayMs: Infinity,
      releaseMs: 30,
      vibratoHz: 6,
      vibratoSemitones: 0.1,
      tremoloDepth: 0.5,
    }));
    chords(studio, falling(15, 0.8), 25, Infinity);
  },
  'music box': (studio) =>
    tune(studio, () => ({ level: 1, partials: [1, 0, 0.3, 0, 0.15], attackMs: 1, decayMs: 250, releaseMs: 40 }), {
      lowHz: 700,
      highHz: 3_000,
    }),
  'cymbals and toms': (studio) =>
    hits(studio, 260, (startMs) => {
      if (studio.random() < 0.5)
        blowNoise(studio, { hz: 6_000, widthHz: 4_000, startMs, durationMs: 900, level: 0.8, envelope: fading(250) });
      else
        playNote(studio, {
          startMs,
          durationMs: 250,
          hz: between(studio.random, 80, 180),
          level: 1,
          partials: [1, 0.4, 0.3],
          attackMs: 2,
          decayMs: 110,
          releaseMs: 20,
          glideSemitones: 5,
          glideMs: 80,
        });
    }),
  sitar: (studio) => {
    const drone = between(studio.random, 110, 150);
    playNote(studio, {
      startMs: 0,
      durationMs: studio.durationMs,
      hz: drone,
      level: 0.3,
      partials: falling(20, 0.5),
      attackMs: 50,
      decayMs: Infinity,
      releaseMs: 50,
      tremoloDepth: 0.3,
      vibratoHz: 0.7,
    });
    tune(
      studio,
      (random) => ({
        level: 0.9,
        partials: falling(24, 0.6),
        attackMs: 2,
        decayMs: 300,
        releaseMs: 30,
        glideSemitones: between(random, -2, 2),
        glideMs: 120,
      }),
      { lowHz: 220, shortestMs: 150, longestMs: 400 },
    );
  },
};
