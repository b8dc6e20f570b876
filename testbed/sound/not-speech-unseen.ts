import { coloredNoise, hits } from './not-speech-noises.ts';
import { chords, drums, tune } from './not-speech-music.ts';
import { between, blowNoise, fading, falling, gauss, playNote, type Kind } from './synthesized-notes.ts';

/** Kinds held out while the speech check was fitted. */
export const UNSEEN: Readonly<Record<string, Kind>> = {
  bells: (studio) =>
    hits(studio, 500, (startMs) => {
      const hz = between(studio.random, 250, 900);
      for (const ratio of [0.5, 1, 1.19, 1.5, 2, 2.74])
        playNote(studio, {
          startMs,
          durationMs: 1_200,
          hz: hz * ratio,
          level: 0.4,
          partials: [1],
          attackMs: 2,
          decayMs: 600 / ratio,
          releaseMs: 50,
        });
    }),
  'distorted guitar': (studio) => {
    chords(studio, falling(12, 1), 3, 900);
    tune(
      studio,
      () => ({
        level: 0.7,
        partials: falling(16, 1),
        attackMs: 4,
        decayMs: 900,
        releaseMs: 20,
        glideSemitones: -1,
        glideMs: 70,
      }),
      { lowHz: 160 },
    );
    for (const [i, sample] of studio.out.entries()) studio.out[i] = Math.tanh(6 * sample);
  },
  harpsichord: (studio) => {
    for (const lowHz of [110, 260])
      tune(studio, () => ({ level: 0.8, partials: falling(24, 0.5), attackMs: 1, decayMs: 300, releaseMs: 30 }), {
        lowHz,
        shortestMs: 120,
        longestMs: 260,
      });
  },
  clarinet: (studio) =>
    tune(
      studio,
      () => ({ level: 1, partials: falling(14, 0.9, true), attackMs: 35, decayMs: Infinity, releaseMs: 40 }),
      { lowHz: 150, highHz: 900 },
    ),
  engine: (studio) => {
    playNote(studio, {
      startMs: 0,
      durationMs: studio.durationMs,
      hz: between(studio.random, 25, 70),
      level: 1,
      partials: Array.from({ length: 40 }, (_, i) => studio.random() / (i + 1) ** 0.6),
      attackMs: 1,
      decayMs: Infinity,
      releaseMs: 5,
      vibratoHz: 0.4,
      vibratoSemitones: 2,
    });
    coloredNoise(studio, 0.95);
  },
  alarm: (studio) => {
    for (let startMs = 0; startMs < studio.durationMs; startMs += 480)
      playNote(studio, {
        startMs,
        durationMs: 240,
        hz: between(studio.random, 1_800, 1_830),
        level: 1,
        partials: falling(3, 1.5),
        attackMs: 3,
        decayMs: Infinity,
        releaseMs: 3,
      });
  },
  applause: (studio) =>
    hits(studio, 14, (startMs) =>
      blowNoise(studio, {
        hz: between(studio.random, 700, 2_200),
        widthHz: 1_200,
        startMs,
        durationMs: 30,
        level: between(studio.random, 0.2, 1),
        envelope: fading(6),
      }),
    ),
  wind: (studio) => {
    let place = 0;
    const gusts = Array.from({ length: 600 }, () => (place = 0.93 * place + 0.3 * gauss(studio.random)));
    blowNoise(studio, {
      hz: 250,
      widthHz: 350,
      startMs: 0,
      durationMs: studio.durationMs,
      level: 1,
      envelope: (ms) => Math.exp(gusts[Math.floor(ms / 100) % 600]!),
    });
  },

  'a theremin': (studio) =>
    tune(
      studio,
      (random) => ({
        level: 1,
        partials: [1, 0.3, 0.1],
        attackMs: 80,
        decayMs: Infinity,
        releaseMs: 100,
        vibratoHz: 6,
        vibratoSemitones: 0.8,
        glideSemitones: between(random, -5, 5),
        glideMs: 250,
      }),
      { lowHz: 250, shortestMs: 300, longestMs: 900 },
    ),
  'a lullaby on an electric piano': (studio) =>
    tune(
      studio,
      () => ({
        level: 1,
        partials: [1, 0.1, 0.05, 0.2, 0, 0, 0.1],
        attackMs: 4,
        decayMs: 700,
        releaseMs: 200,
        vibratoHz: 4,
        tremoloDepth: 0.4,
      }),
      { lowHz: 180, shortestMs: 250, longestMs: 700 },
    ),
  'dripping water': (studio) =>
    hits(studio, 350, (startMs) =>
      playNote(studio, {
        startMs,
        durationMs: 60,
        hz: between(studio.random, 600, 1_800),
        level: between(studio.random, 0.4, 1),
        partials: [1],
        attackMs: 2,
        decayMs: 25,
        releaseMs: 10,
        glideSemitones: between(studio.random, -8, -3),
        glideMs: 50,
      }),
    ),
  'an orchestra': (studio) => {
    for (const [lowHz, attackMs] of [
      [98, 60],
      [196, 80],
      [390, 50],
    ] as const)
      tune(
        studio,
        () => ({
          level: 0.6,
          partials: falling(18, 1),
          attackMs,
          decayMs: Infinity,
          releaseMs: 80,
          vibratoHz: 5.4,
          vibratoSemitones: 0.3,
        }),
        { lowHz, shortestMs: 200, longestMs: 800 },
      );
    chords(studio, [0.5, 0.8, 1, 0.9, 0.7, 0.5, 0.4, 0.3], 70, 1_500, 0.2);
    drums(studio, 0.3);
  },
  'shakers and congas': (studio) => {
    hits(studio, 130, (startMs) =>
      blowNoise(studio, {
        hz: 5_000,
        widthHz: 3_500,
        startMs,
        durationMs: 80,
        level: between(studio.random, 0.3, 0.8),
        envelope: (ms) => Math.sin((Math.PI * ms) / 80),
      }),
    );
    hits(studio, 280, (startMs) =>
      playNote(studio, {
        startMs,
        durationMs: 180,
        hz: between(studio.random, 180, 330),
        level: 1,
        partials: [1, 0.5, 0.4, 0.2],
        attackMs: 2,
        decayMs: 60,
        releaseMs: 20,
        glideSemitones: 2,
        glideMs: 40,
      }),
    );
  },
  vibraphone: (studio) =>
    tune(
      studio,
      () => ({
        level: 1,
        partials: [1, 0, 0, 0.3, 0, 0, 0, 0, 0, 0.08],
        attackMs: 3,
        decayMs: 900,
        releaseMs: 200,
        vibratoHz: 5,
        tremoloDepth: 0.6,
      }),
      { lowHz: 220, shortestMs: 200, longestMs: 600 },
    ),
};
