import { wavHeader } from '@jyutsing/audio/wav';
import { SYNTHESIS_SAMPLE_RATE_HZ, type SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import { pcm16Of, soundOf } from '#http/synthesis/sound.ts';
import type { SpeechResponseFormat } from './schema.ts';

/** The sound in the bytes of its format, as it is made. */
export async function* streamedSound(
  events: AsyncGenerator<SynthesisEvent>,
  format: SpeechResponseFormat,
): AsyncGenerator<Uint8Array> {
  if (format === 'pcm') yield* pcm16Of(events);
  else if (format === 'wav') yield* withHeader(pcm16Of(events));
  else yield* encoded(events, format);
}

/** The header, which cannot know the length, goes with the first sound: before that an answer has no status yet. */
async function* withHeader(sound: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let header: Uint8Array | null = wavHeader(SYNTHESIS_SAMPLE_RATE_HZ, null);
  for await (const bytes of sound) {
    yield header === null ? bytes : Buffer.concat([header, bytes]);
    header = null;
  }
}

async function* encoded(
  events: AsyncIterable<SynthesisEvent>,
  format: Exclude<SpeechResponseFormat, 'pcm' | 'wav'>,
): AsyncGenerator<Uint8Array> {
  // The codec library is large, and many servers speak without it.
  const { createSpeechEncoder } = await import('@jyutsing/audio/encoding/speech-encoder');
  const encoder = createSpeechEncoder(format, SYNTHESIS_SAMPLE_RATE_HZ);
  try {
    for await (const samples of soundOf(events)) {
      const bytes = encoder.push(samples);
      if (bytes.length > 0) yield bytes;
    }
    yield encoder.finish();
  } finally {
    encoder.close();
  }
}
