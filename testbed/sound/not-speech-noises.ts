import { between, blowNoise, fading, pick, playNote, falling, type Kind, type Studio } from './synthesized-notes.ts';
/** The nearer `memory` to 1, the duller. */
export function coloredNoise({ out, random }: Studio, memory: number): void {
  let low = 0;
  for (let i = 0; i < out.length; i += 1) {
    const white = random() * 2 - 1;
    low = memory * low + (1 - memory) * white;
    out[i]! += memory === 0 ? white : low * 4 + 0.04 * white;
  }
}

/** At uneven times. */
export function hits(studio: Studio, meanGapMs: number, hit: (startMs: number) => void): void {
  for (let startMs = 40; startMs < studio.durationMs; startMs += meanGapMs * between(studio.random, 0.35, 1.7))
    hit(startMs);
}

/** Noises, machines, animals. */
export const NOISES: Readonly<Record<string, Kind>> = {
  'white noise': (studio) => coloredNoise(studio, 0),
  'pink noise': (studio) => coloredNoise(studio, 0.9),
  'brown noise': (studio) => coloredNoise(studio, 0.99),
  fan: (studio) => {
    const rate = between(studio.random, 8, 40);
    const depth = between(studio.random, 0.1, 0.5);
    for (const hz of [180, 420, 900, 1_800]) {
      blowNoise(studio, {
        hz: hz * between(studio.random, 0.8, 1.2),
        widthHz: hz,
        startMs: 0,
        durationMs: studio.durationMs,
        level: 90 / hz,
        envelope: (ms) => 1 + depth * Math.sin((2 * Math.PI * rate * ms) / 1_000),
      });
    }
  },
  hum: (studio) =>
    playNote(studio, {
      startMs: 0,
      durationMs: studio.durationMs,
      hz: pick(studio.random, [50, 60, 100]),
      level: 1,
      partials: Array.from({ length: 20 }, (_, i) => studio.random() / (i + 1)),
      attackMs: 1,
      decayMs: Infinity,
      releaseMs: 10,
    }),
  clicks: (studio) =>
    hits(studio, between(studio.random, 80, 600), (startMs) =>
      blowNoise(studio, {
        hz: between(studio.random, 800, 5_000),
        widthHz: 2_500,
        startMs,
        durationMs: 12,
        level: between(studio.random, 0.4, 1),
        envelope: fading(2),
      }),
    ),
  keyboard: (studio) =>
    hits(studio, between(studio.random, 90, 260), (startMs) => {
      const hz = between(studio.random, 1_200, 3_800);
      blowNoise(studio, {
        hz,
        widthHz: 1_800,
        startMs,
        durationMs: 40,
        level: between(studio.random, 0.4, 1),
        envelope: fading(7),
      });
      blowNoise(studio, {
        hz: hz * 0.7,
        widthHz: 900,
        startMs: startMs + between(studio.random, 50, 90),
        durationMs: 40,
        level: 0.3,
        envelope: fading(9),
      });
    }),
  tone: (studio) =>
    playNote(studio, {
      startMs: 0,
      durationMs: studio.durationMs,
      hz: between(studio.random, 120, 3_000),
      level: 1,
      partials: [1],
      attackMs: 5,
      decayMs: Infinity,
      releaseMs: 5,
    }),
  'dialling tones': (studio) => {
    for (let startMs = 0; startMs < studio.durationMs; startMs += 190) {
      for (const hz of [pick(studio.random, [697, 770, 852, 941]), pick(studio.random, [1_209, 1_336, 1_477])]) {
        playNote(studio, {
          startMs,
          durationMs: 110,
          hz,
          level: 0.5,
          partials: [1],
          attackMs: 3,
          decayMs: Infinity,
          releaseMs: 3,
        });
      }
    }
  },
  siren: (studio) => {
    const periodMs = between(studio.random, 500, 2_500);
    const hz = between(studio.random, 500, 1_100);
    for (let startMs = 0; startMs < studio.durationMs; startMs += periodMs) {
      playNote(studio, {
        startMs,
        durationMs: periodMs,
        hz,
        level: 1,
        partials: falling(6, 1.2),
        attackMs: 2,
        decayMs: Infinity,
        releaseMs: 2,
        glideSemitones: between(studio.random, 5, 12),
        glideMs: periodMs,
      });
    }
  },
  birds: (studio) =>
    hits(studio, 180, (startMs) =>
      playNote(studio, {
        startMs,
        durationMs: between(studio.random, 40, 140),
        hz: between(studio.random, 2_200, 4_800),
        level: between(studio.random, 0.3, 1),
        partials: [1, 0.1],
        attackMs: 10,
        decayMs: Infinity,
        releaseMs: 15,
        glideSemitones: between(studio.random, -6, 6),
        glideMs: 100,
      }),
    ),
  'knocking and footsteps': (studio) =>
    hits(studio, 420, (startMs) => {
      blowNoise(studio, {
        hz: between(studio.random, 90, 350),
        widthHz: 120,
        startMs,
        durationMs: 120,
        level: 1,
        envelope: fading(22),
      });
      blowNoise(studio, { hz: 1_500, widthHz: 2_000, startMs, durationMs: 40, level: 0.3, envelope: fading(6) });
    }),
  traffic: (studio) => {
    for (let startMs = -500; startMs < studio.durationMs; startMs += 1_400) {
      blowNoise(studio, {
        hz: between(studio.random, 120, 500),
        widthHz: 500,
        startMs,
        durationMs: 2_400,
        level: 1,
        envelope: (ms) => Math.sin((Math.PI * ms) / 2_400) ** 2,
      });
    }
    coloredNoise(studio, 0.97);
  },
  rain: (studio) =>
    hits(studio, 6, (startMs) =>
      blowNoise(studio, {
        hz: between(studio.random, 1_500, 6_500),
        widthHz: 1_500,
        startMs,
        durationMs: 15,
        level: studio.random() ** 3,
        envelope: fading(3),
      }),
    ),
};
