import type { CodecPacket } from './codec-packets.ts';

/** Makes the bytes of a file or stream of what a codec gives. */
export type Container = {
  /** The bytes that a packet completes. */
  add(packet: CodecPacket): Uint8Array[];
  /** The rest. */
  end(totals: SoundTotals): Uint8Array[];
  /** What the file must begin with now that all is known, in place of as many bytes; null when it is right as it was sent. */
  finalStart(totals: SoundTotals): Uint8Array | null;
};

export type SoundTotals = {
  /** Samples of the sound itself, at the rate of the codec. */
  samples: number;
  /** What decoders have to be told, as it is after the last packet; empty for codecs without. */
  setup: Uint8Array;
};

export const WAV_HEADER_BYTES = 44;
/** What stands for "until the stream ends" in a header that is sent before its sound. */
const UNKNOWN_SIZE = 0xff_ff_ff_ff;

/** The header of 16-bit mono sound (Multimedia Programming Interface and Data Specifications 1.0); `dataBytes` null: not known yet. */
export function wavHeader(sampleRateHz: number, dataBytes: number | null): Uint8Array {
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(dataBytes === null ? UNKNOWN_SIZE : WAV_HEADER_BYTES - 8 + dataBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRateHz, 24);
  header.writeUInt32LE(sampleRateHz * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes ?? UNKNOWN_SIZE, 40);
  return header;
}

/** FLAC as RFC 9639 has it: marker, stream information, frames. Length and checksum of the sound are known at the end only. */
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

/** AAC as an endless row of frames (ISO/IEC 14496-3, 1.A.2.2), each with a header made from the codec's AudioSpecificConfig. */
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
