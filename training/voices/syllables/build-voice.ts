import { createPacketEncoder, type CodecPacket } from '@jyutsing/audio/encoding/codec-packets';
import { joinSamples } from '@jyutsing/audio/join-samples';
import {
  VOICE_RATE_HZ,
  writeVoiceFile,
  type StoredUnit,
  type UnitCuts,
} from '#packages/engines/syllable/voice-file.ts';

const BIT_RATE = 24_000;

/** A recording and its syllables; the cuts count from its first sample. */
export type CutRecording = { samples: Float32Array; units: readonly (UnitCuts & { label: string })[] };

/**
 * Encodes cut recordings end to end as one Opus stream, so that the packets before a syllable
 * prepare the decoder for it, and writes them with their index as a voice file. Throws without
 * recordings.
 */
export function buildVoice(recordings: Iterable<CutRecording>, bitRate = BIT_RATE): Uint8Array {
  const encoder = createPacketEncoder({
    encoder: 'libopus',
    sampleRateHz: VOICE_RATE_HZ,
    samples: 'float',
    bitRate,
    options: { application: 'audio', vbr: 'on', compression_level: '10' },
  });
  const units = new Map<string, StoredUnit>();
  const packets: CodecPacket[] = [];
  let from = 0;
  try {
    for (const { samples, units: cuts } of recordings) {
      for (const cut of cuts) units.set(cut.label, { ...cut, from, length: samples.length });
      packets.push(...encoder.push(joinSamples([samples.map((sample) => Math.max(-1, Math.min(1, sample)))])));
      from += samples.length;
    }
    if (units.size === 0) throw new Error('No recording is left to make a voice of.');
    // The last recording is complete when the delay of the encoder has passed.
    packets.push(...encoder.push(new Float32Array(VOICE_RATE_HZ / 10)), ...encoder.finish());
  } finally {
    encoder.close();
  }
  return writeVoiceFile({
    delaySamples: Math.max(0, -(packets[0]?.startSample ?? 0)),
    units,
    packets: packets.map(({ data }) => data),
  });
}
