import type { CodecPacket } from './codec-packets.ts';

/** Packs codec packets into the bytes of a file or stream. */
export type Container = {
  /** Returns the bytes that a packet completes. */
  add(packet: CodecPacket): Uint8Array[];
  /** Returns the remaining bytes. */
  end(totals: SoundTotals): Uint8Array[];
  /**
   * Returns the corrected start of the file, overwriting as many bytes, or null when nothing
   * changes.
   */
  finalStart(totals: SoundTotals): Uint8Array | null;
};

type SoundTotals = {
  /** Number of samples of the sound, at the rate of the codec. */
  samples: number;
  /** Codec configuration after the last packet; empty for codecs without one. */
  setup: Uint8Array;
};

/**
 * FLAC by RFC 9639: marker, stream information, frames. Length and checksum of the sound are
 * known at the end only.
 */
export function createFlacContainer(setup: Uint8Array): Container {
  let isStarted = false;
  const begin = () => {
    const pieces = isStarted ? [] : [flacStart(setup)];
    isStarted = true;
    return pieces;
  };
  return {
    add: ({ data }) => [...begin(), data],
    end: begin,
    finalStart: ({ setup: final }) => flacStart(final.length === setup.length ? final : setup),
  };
}

function flacStart(streamInfo: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('fLaC', 'latin1'), Buffer.from([0x80, 0, 0, streamInfo.length]), streamInfo]);
}

const ADTS_HEADER_BYTES = 7;

/**
 * AAC as a sequence of frames (ISO/IEC 14496-3, 1.A.2.2), each with a header made from the
 * codec's AudioSpecificConfig.
 */
export function createAdtsContainer(setup: Uint8Array): Container {
  const first = setup[0] ?? 0;
  const second = setup[1] ?? 0;
  const profile = (first >> 3) - 1;
  const rateIndex = ((first & 7) << 1) | (second >> 7);
  const channels = (second >> 3) & 15;
  return {
    add({ data }) {
      const size = ADTS_HEADER_BYTES + data.length;
      const header = Buffer.from([
        0xff,
        0xf1,
        (profile << 6) | (rateIndex << 2) | (channels >> 2),
        ((channels & 3) << 6) | (size >> 11),
        (size >> 3) & 0xff,
        ((size & 7) << 5) | 0x1f,
        0xfc,
      ]);
      return [header, data];
    },
    end: () => [],
    finalStart: () => null,
  };
}
