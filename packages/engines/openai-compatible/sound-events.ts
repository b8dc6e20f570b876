import { AppError } from '@jyutsing/contracts/errors';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import { joinSamples } from '@jyutsing/audio/join-samples';
import type { TempoChanger } from '@jyutsing/audio/encoding/tempo';
import type { Resampler } from '@jyutsing/audio/resample';
import { SPEECH_SERVER } from './failures.ts';
import type { ServerSound } from './speech-client.ts';

/** Largest event in samples, a quarter of a second: the limit of the contract. */
const MAX_EVENT_SAMPLES = SYNTHESIS_SAMPLE_RATE_HZ / 4;
/** Longest silence in seconds, longer than any pause of punctuation. */
const LONGEST_SILENCE_S = 10;
/** Amplitude above the rounding noise of 16 bits. */
const SOUND_LEVEL = 2 / 32_768;
/**
 * Seconds per character that limit the duration: slow speech has two characters of Chinese per
 * second, and a short text may have pauses around it.
 */
const LONGEST_CHARACTER_S = 1.5;
const LONGEST_PAUSES_S = 20;

/**
 * Yields the audio of one text at 24 kHz and the requested speed, in chunks of at most a quarter of
 * a second. Leading silence is withheld, so that a silent response fails before its first chunk.
 * Throws `engine_failed` for endless audio, ten seconds of silence, or no audio.
 */
export async function* toEvents(
  sound: AsyncIterable<ServerSound>,
  { characters, speed }: { characters: number; speed: number },
): AsyncGenerator<Float32Array<ArrayBuffer>> {
  const longestSeconds = (LONGEST_PAUSES_S + LONGEST_CHARACTER_S * characters) / Math.min(1, speed);
  let totalSamples = 0;
  let silentSamples = 0;
  let leadingSilence: Float32Array[] = [];
  let changer: TempoChanger | null = null;
  try {
    for await (const { samples, tempo } of atSynthesisRate(sound)) {
      totalSamples += samples.length;
      const last = samples.findLastIndex((sample) => Math.abs(sample) >= SOUND_LEVEL);
      silentSamples = last < 0 ? silentSamples + samples.length : samples.length - 1 - last;
      if (silentSamples > LONGEST_SILENCE_S * SYNTHESIS_SAMPLE_RATE_HZ) throw wrong('the audio has a long silence');
      if (totalSamples > longestSeconds * SYNTHESIS_SAMPLE_RATE_HZ) throw wrong('the audio is too long for the text');
      leadingSilence.push(samples);
      if (silentSamples === totalSamples) continue;
      if (tempo !== 1 && changer === null) {
        const { createTempoChanger } = await import('@jyutsing/audio/encoding/tempo');
        changer = await createTempoChanger(tempo, SYNTHESIS_SAMPLE_RATE_HZ);
      }
      const joined = joinSamples(leadingSilence);
      leadingSilence = [];
      yield* cut(changer?.push(joined) ?? joined);
    }
    if (silentSamples === totalSamples) throw wrong('the audio is silent');
    if (changer !== null) yield* cut(changer.flush());
  } finally {
    changer?.close();
  }
}

async function* atSynthesisRate(
  sound: AsyncIterable<ServerSound>,
): AsyncGenerator<{ samples: Float32Array; tempo: number }> {
  let resampler: Resampler | null = null;
  let tempo = 1;
  try {
    for await (const { samples, sampleRateHz, tempo: remaining } of sound) {
      tempo = remaining;
      if (sampleRateHz === SYNTHESIS_SAMPLE_RATE_HZ) {
        yield { samples, tempo };
        continue;
      }
      if (resampler === null) {
        // Load the codec library on demand: servers at the service's sample rate do not need it.
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
