import { createPacketEncoder } from '@jyutsing/audio/encoding/codec-packets';
import type { Sound } from '#testbed/sound/audio.ts';

/** The packets of a mono sound at 48 kHz, 20 ms each. */
export function opusPackets({ channels }: Sound): Buffer[] {
  const encoder = createPacketEncoder({
    encoder: 'libopus',
    sampleRateHz: 48_000,
    samples: 's16',
    bitRate: 32_000,
  });
  const packets = [...encoder.push(channels[0] ?? new Float32Array(0)), ...encoder.finish()];
  encoder.close();
  return packets.map(({ data }) => Buffer.from(data));
}
