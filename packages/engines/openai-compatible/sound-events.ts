import { AppError } from '@jyutsing/contracts/errors';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import { joinSamples } from '@jyutsing/audio/join-samples';
import type { TempoChanger } from '@jyutsing/audio/encoding/tempo';
import type { Resampler } from '@jyutsing/audio/resample';
import { SPEECH_SERVER } from './failures.ts';
import type { ServerSound } from './speech-client.ts';

/** A quarter of a second, as the contract says. */
const MAX_EVENT_SAMPLES = SYNTHESIS_SAMPLE_RATE_HZ / 4;
/** Nobody pauses as long as this in a text that has at most commas and full stops. */
const LONGEST_SILENCE_S = 10;
/** Louder than what is left of nothing after rounding to 16 bits. */
const SOUND_LEVEL = 2 / 32_768;
/** The slowest speaker says a character of Chinese in half a second; a text of one character may have pauses around it. */
const LONGEST_CHARACTER_S = 1.5;
const LONGEST_PAUSES_S = 20;

/**
 * The sound of one text at 24 kHz and at its speed, in pieces of a quarter of a second at most. Silence at the beginning is held back until
 * something is heard, so that an answer that is nothing but silence fails before its first sound. Throws `engine_failed` for sound
 * without end, for ten seconds of silence, and for no sound at all.
 */
export async function* toEvents(
  sound: AsyncIterable<ServerSound>,
  { characters, speed }: { characters: number; speed: number },
): AsyncGenerator<Float32Array<ArrayBuffer>> {
  const longestSeconds = (LONGEST_PAUSES_S + LONGEST_CHARACTER_S * characters) / Math.min(1, speed);
  let heardSamples = 0;
  let silentSamples = 0;
  let held: Float32Array[] = [];
  let changer: TempoChanger | null = null;
  try {
    for await (const { samples, tempo } of atOurRate(sound)) {
      heardSamples += samples.length;
      const last = samples.findLastIndex((sample) => Math.abs(sample) >= SOUND_LEVEL);
      silentSamples = last < 0 ? silentSamples + samples.length : samples.length - 1 - last;
      if (silentSamples > LONGEST_SILENCE_S * SYNTHESIS_SAMPLE_RATE_HZ) throw wrong('it went on in silence');
      if (heardSamples > longestSeconds * SYNTHESIS_SAMPLE_RATE_HZ) throw wrong('it has no end');
      held.push(samples);
      if (silentSamples === heardSamples) continue;
      if (tempo !== 1 && changer === null) {
        const { createTempoChanger } = await import('@jyutsing/audio/encoding/tempo');
        changer = await createTempoChanger(tempo, SYNTHESIS_SAMPLE_RATE_HZ);
      }
      const joined = joinSamples(held);
      held = [];
      yield* cut(changer?.push(joined) ?? joined);
    }
    if (silentSamples === heardSamples) throw wrong('it is silent');
    if (changer !== null) yield* cut(changer.flush());
  } finally {
    changer?.close();
  }
}

async function* atOurRate(sound: AsyncIterable<ServerSound>): AsyncGenerator<{ samples: Float32Array; tempo: number }> {
  let resampler: Resampler | null = null;
  let tempo = 1;
  try {
    for await (const { samples, sampleRateHz, tempo: toDo } of sound) {
      tempo = toDo;
      if (sampleRateHz === SYNTHESIS_SAMPLE_RATE_HZ) {
        yield { samples, tempo };
        continue;
      }
      if (resampler === null) {
        // The codec library, which servers at our rate need not load.
        const { createResampler } = await import('@jyutsing/audio/resample');
        resampler = createResampler(sampleRateHz, SYNTHESIS_SAMPLE_RATE_HZ);
      }
      yield { samples: resampler.push(samples), tempo };
    }
    if (resampler !== null) yield { samples: resampler.flush(), tempo };
  } finally {
    resampler?.close();
  }
}

function* cut(samples: Float32Array): Generator<Float32Array<ArrayBuffer>> {
  for (let at = 0; at < samples.length; at += MAX_EVENT_SAMPLES) yield samples.slice(at, at + MAX_EVENT_SAMPLES);
}

function wrong(cause: string): AppError {
  return new AppError('engine_failed', SPEECH_SERVER.wrongAnswer, { cause });
}
