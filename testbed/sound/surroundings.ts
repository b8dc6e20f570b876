import { composeTune, between, falling, gauss, pick, playNote, type Kind, type Studio } from './synthesized-notes.ts';

const RATE_HZ = 16_000;

/** Fills a table with noise whose power falls by `dbPerOctave` above 20 Hz. */
function noiseOf({ out, random }: Studio, dbPerOctave: number): Float32Array {
  const noise = new Float32Array(out.length);
  if (dbPerOctave === 0) return noise.map(() => gauss(random));
  // One-pole low-passes an octave apart, each weighted so that their sum has the slope.
  for (let hz = 20; hz < RATE_HZ / 2; hz *= 2) {
    const keep = Math.exp((-2 * Math.PI * hz) / RATE_HZ);
    // Power density: a low-passed noise of unit power has 1 / hz of it.
    const gain = Math.sqrt(hz) * 10 ** ((-dbPerOctave * Math.log2(hz / 20)) / 20);
    const scale = gain * Math.sqrt((1 + keep) / (1 - keep)) * (1 - keep);
    let low = 0;
    for (let i = 0; i < noise.length; i += 1) {
      low = keep * low + gauss(random);
      noise[i]! += scale * low;
    }
  }
  return noise;
}

/** A level that wanders: a random walk between `low` and `high` with changes of about `ms`. */
function wandering({ out, random }: Studio, ms: number, low: number, high: number): Float32Array {
  const level = new Float32Array(out.length);
  const step = Math.max(1, Math.round((ms * RATE_HZ) / 1_000));
  let [from, to] = [between(random, low, high), between(random, low, high)];
  for (let i = 0; i < level.length; i += 1) {
    const place = (i % step) / step;
    level[i] = from + (to - from) * (0.5 - 0.5 * Math.cos(Math.PI * place));
    if (i % step === step - 1) [from, to] = [to, between(random, low, high)];
  }
  return level;
}

/** Filters through a resonance whose frequency and width may change with time (state variable). */
function resonance(sound: Float32Array, hzAt: (i: number) => number, widthHz: (hz: number) => number): Float32Array {
  let low = 0;
  let band = 0;
  return sound.map((sample, i) => {
    const hz = Math.min(7_000, hzAt(i));
    const g = Math.tan((Math.PI * hz) / RATE_HZ);
    const damping = widthHz(hz) / hz;
    const high = (sample - low - (damping + g) * band) / (1 + g * (g + damping));
    const middle = g * high + band;
    band = g * high + middle;
    const bottom = g * middle + low;
    low = g * middle + bottom;
    return middle * damping;
  });
}

function add({ out }: Studio, sound: Float32Array, level: (i: number) => number): void {
  const power = Math.sqrt(sound.reduce((sum, value) => sum + value * value, 1e-12) / Math.max(1, sound.length));
  for (let i = 0; i < out.length; i += 1) out[i]! += (level(i) * sound[i]!) / power;
}

/** Adds harmonics of a motor whose speed wanders. */
function motor(
  studio: Studio,
  { hz, wander, slope, level }: { hz: number; wander: number; slope: number; level: number },
) {
  const { out, random } = studio;
  const speed = wandering(studio, between(random, 300, 2_000), 1 - wander, 1 + wander);
  const amplitudes = falling(Math.max(1, Math.min(40, Math.floor(7_000 / hz))), slope).map(
    (value) => value * between(random, 0.2, 1),
  );
  let phase = random();
  const sound = out.map((_, i) => {
    phase += (hz * speed[i]!) / RATE_HZ;
    return amplitudes.reduce(
      (sum, amplitude, n) => sum + amplitude * Math.sin(2 * Math.PI * (n + 1) * phase + n * n),
      0,
    );
  });
  add(studio, sound, () => level);
}

/** A short burst of noise through a resonance. */
function burst(
  { out, random }: Studio,
  startMs: number,
  { hz, widthHz, decayMs, level }: { hz: number; widthHz: number; decayMs: number; level: number },
) {
  const start = Math.round((startMs * RATE_HZ) / 1_000);
  const length = Math.max(0, Math.min(out.length - start, Math.round((decayMs * 6 * RATE_HZ) / 1_000)));
  const noise = Float32Array.from({ length }, (_, i) => gauss(random) * Math.exp((-i * 1_000) / RATE_HZ / decayMs));
  const sound = resonance(
    noise,
    () => hz,
    () => widthHz,
  );
  for (let i = 0; i < length; i += 1) out[start + i]! += level * sound[i]!;
}

/** A plucked string: noise that circles in a delay line (K. Karplus, A. Strong, 1983). */
function pluck(
  { out, random }: Studio,
  { startMs, hz, level, keep }: { startMs: number; hz: number; level: number; keep: number },
) {
  const start = Math.round((startMs * RATE_HZ) / 1_000);
  const line = Float32Array.from({ length: Math.max(2, Math.round(RATE_HZ / hz)) }, () => random() * 2 - 1);
  for (let i = 0; start + i < out.length && i < 3 * RATE_HZ; i += 1) {
    const at = i % line.length;
    const value = line[at]!;
    line[at] = keep * 0.5 * (value + line[(at + 1) % line.length]!);
    out[start + i]! += level * value;
  }
}

/** Sounds that surround people: weather, machines, traffic, and music without words. */
export const SURROUNDINGS: Readonly<Record<string, Kind>> = {
  'white noise': (studio) => add(studio, noiseOf(studio, 0), () => 1),
  'pink noise': (studio) => add(studio, noiseOf(studio, 3), () => 1),
  'brown noise': (studio) => add(studio, noiseOf(studio, 6), () => 1),
  'sea waves': (studio) => {
    const { random } = studio;
    for (let wave = 0; wave < 3; wave += 1) {
      const periodMs = between(random, 4_000, 11_000);
      const phase = random();
      const sound = resonance(
        noiseOf(studio, between(random, 2, 5)),
        () => between(random, 400, 420),
        () => 900,
      );
      add(studio, sound, (i) => 0.15 + Math.sin(Math.PI * (((i * 1_000) / RATE_HZ / periodMs + phase) % 1)) ** 3);
    }
  },
  'hair dryer': (studio) => {
    const { random } = studio;
    const sound = noiseOf(studio, between(random, 0.5, 3));
    add(studio, sound, () => 1);
    add(
      studio,
      resonance(
        sound,
        () => 1_600,
        () => 1_500,
      ),
      () => between(random, 0.5, 0.5),
    );
    motor(studio, { hz: between(random, 180, 420), wander: 0.01, slope: 0.8, level: between(random, 0.2, 0.7) });
  },
  train: (studio) => {
    const { random, durationMs } = studio;
    const swell = wandering(studio, 900, 0.5, 1);
    add(studio, noiseOf(studio, between(random, 4, 6)), (i) => swell[i]!);
    const gapMs = between(random, 450, 900);
    for (let startMs = 0; startMs < durationMs; startMs += gapMs) {
      for (const laterMs of [0, gapMs * 0.28]) {
        burst(studio, startMs + laterMs, { hz: between(random, 150, 260), widthHz: 150, decayMs: 45, level: 6 });
        burst(studio, startMs + laterMs, { hz: between(random, 900, 1_500), widthHz: 700, decayMs: 15, level: 2 });
      }
    }
  },
  'wind in gusts': (studio) => {
    const { random } = studio;
    const gusts = wandering(studio, between(random, 500, 1_800), 0.05, 1);
    add(studio, noiseOf(studio, 5), (i) => gusts[i]! ** 1.5);
    for (let whistle = 0; whistle < 2; whistle += 1) {
      const hz = between(random, 250, 900);
      const sound = resonance(
        noiseOf(studio, 2),
        (i) => hz * (0.6 + 0.8 * gusts[i]!),
        (at) => at * between(random, 0.15, 0.2),
      );
      add(studio, sound, (i) => 0.5 * gusts[i]! ** 2);
    }
  },
  'rain on a roof': (studio) => {
    const { random, durationMs } = studio;
    const density = wandering(studio, 2_000, 0.6, 1);
    add(studio, noiseOf(studio, 1), (i) => 0.2 * density[i]!);
    for (let startMs = 0; startMs < durationMs; startMs += between(random, 2, 14)) {
      burst(studio, startMs, {
        hz: between(random, 900, 5_000),
        widthHz: 900,
        decayMs: between(random, 1, 5),
        level: 3 * random() ** 3,
      });
    }
  },
  'fan with hum': (studio) => {
    const { random } = studio;
    const blades = between(random, 12, 45);
    add(
      studio,
      noiseOf(studio, between(random, 3, 5)),
      (i) => 1 + 0.35 * Math.sin((2 * Math.PI * blades * i) / RATE_HZ),
    );
    motor(studio, { hz: pick(random, [50, 60, 100, 120]), wander: 0.002, slope: 1.1, level: between(random, 0.3, 1) });
  },
  'plucked tune': (studio) => {
    const { random } = studio;
    const keep = between(random, 0.985, 0.999);
    for (const { startMs, hz } of composeTune(studio, {
      lowHz: 80,
      highHz: 700,
      shortestMs: 130,
      longestMs: 420,
      legato: 1,
    })) {
      pluck(studio, { startMs, hz, level: between(random, 0.4, 1), keep });
    }
  },
  humming: (studio) => {
    const { random } = studio;
    const lowHz = pick(random, [100, 130, 200, 260]);
    for (const note of composeTune(studio, {
      lowHz,
      highHz: lowHz * 2.2,
      shortestMs: 220,
      longestMs: 700,
      legato: 0.97,
    })) {
      playNote(studio, {
        ...note,
        level: between(random, 0.7, 1),
        partials: [1, between(random, 0.2, 0.7), between(random, 0.05, 0.3), 0.08, 0.04, 0.03, 0.01],
        attackMs: between(random, 30, 90),
        decayMs: Infinity,
        releaseMs: 60,
        vibratoHz: between(random, 4.5, 6.5),
        vibratoSemitones: between(random, 0.1, 0.9),
        glideSemitones: between(random, -3, 2),
        glideMs: between(random, 40, 160),
      });
    }
    add(studio, noiseOf(studio, 3), () => 0.01);
  },
  percussion: (studio) => {
    const { random, durationMs } = studio;
    const beatMs = between(random, 110, 260);
    const drums = Array.from({ length: 4 }, () => ({
      hz: between(random, 70, 900),
      widthHz: between(random, 30, 400),
      decayMs: between(random, 25, 130),
    }));
    for (let startMs = 30; startMs < durationMs; startMs += beatMs) {
      if (random() < 0.75) burst(studio, startMs, { ...pick(random, drums), level: between(random, 0.4, 1) });
      if (random() < 0.3) burst(studio, startMs, { hz: 6_000, widthHz: 4_000, decayMs: 30, level: 0.4 });
    }
  },
  'warbling siren': (studio) => {
    const { out, random } = studio;
    const [low, high] = [between(random, 350, 700), between(random, 800, 1_700)];
    const periodMs = between(random, 300, 4_000);
    let phase = 0;
    const sound = out.map((_, i) => {
      const swing = 0.5 - 0.5 * Math.cos((2 * Math.PI * i * 1_000) / RATE_HZ / periodMs);
      phase += (low + (high - low) * swing) / RATE_HZ;
      return Math.tanh(2.5 * Math.sin(2 * Math.PI * phase));
    });
    add(studio, sound, () => 1);
    add(studio, noiseOf(studio, 4), () => 0.1);
  },
  typing: (studio) => {
    const { random, durationMs } = studio;
    for (
      let startMs = 60;
      startMs < durationMs;
      startMs += random() < 0.15 ? between(random, 300, 900) : between(random, 70, 220)
    ) {
      burst(studio, startMs, {
        hz: between(random, 1_500, 4_500),
        widthHz: 1_500,
        decayMs: 4,
        level: between(random, 0.5, 1),
      });
      burst(studio, startMs + 4, { hz: between(random, 180, 420), widthHz: 200, decayMs: 12, level: 0.5 });
      burst(studio, startMs + between(random, 50, 100), {
        hz: between(random, 2_000, 5_000),
        widthHz: 2_500,
        decayMs: 3,
        level: 0.4,
      });
    }
    add(studio, noiseOf(studio, 3), () => 0.002);
  },
  'bird song': (studio) => {
    const { random, durationMs } = studio;
    for (let startMs = 100; startMs < durationMs; startMs += between(random, 300, 1_200)) {
      const hz = between(random, 1_800, 5_000);
      const chirps = 1 + Math.floor(random() * 7);
      for (let chirp = 0; chirp < chirps; chirp += 1) {
        playNote(studio, {
          startMs: startMs + chirp * 90,
          durationMs: between(random, 30, 75),
          hz: hz * between(random, 0.9, 1.15),
          level: between(random, 0.4, 1),
          partials: [1, 0.15],
          attackMs: 8,
          decayMs: Infinity,
          releaseMs: 12,
          glideSemitones: between(random, -7, 7),
          glideMs: 60,
        });
      }
    }
    add(studio, noiseOf(studio, 4), () => 0.01);
  },
  'idling engine': (studio) => {
    const { random } = studio;
    motor(studio, { hz: between(random, 18, 48), wander: 0.05, slope: between(random, 0.5, 1), level: 1 });
    const firing = between(random, 18, 48);
    add(studio, noiseOf(studio, 5), (i) => 0.5 * (1 + Math.sin((2 * Math.PI * firing * i) / RATE_HZ)));
  },
  'clapping crowd': (studio) => {
    const { random, durationMs } = studio;
    const people = Array.from({ length: 40 }, () => ({
      atMs: random() * 300,
      gapMs: between(random, 190, 340),
      hz: between(random, 800, 2_400),
      level: random(),
    }));
    for (const { atMs, gapMs, hz, level } of people) {
      for (let startMs = atMs; startMs < durationMs; startMs += gapMs * between(random, 0.9, 1.1)) {
        burst(studio, startMs, { hz, widthHz: hz * 0.6, decayMs: 6, level });
      }
    }
  },
};
