import type { CodecPacket } from './codec-packets.ts';
import type { Container } from './containers.ts';

/** Audio per page: long enough to keep page headers cheap, short enough for low latency. */
const PAGE_MS = 100;
const MAX_SEGMENTS = 255;
const HEAD_BYTES = 27;
const FIRST_PAGE = 2;
const LAST_PAGE = 4;
/** Serial number of the stream; a file has only one. */
const SERIAL = 1;

type Codec = {
  /** Header packets before the audio; the first gets its own page. */
  headers: readonly Uint8Array[];
  /** Offset in samples that is added to the positions of packets. */
  granuleOffset: number;
  sampleRateHz: number;
};

/**
 * Vorbis in Ogg; `setup` holds the three headers with lacing as in Matroska and FFmpeg (Vorbis I,
 * A.2).
 */
export function createVorbisContainer(setup: Uint8Array, sampleRateHz: number): Container {
  return createOggContainer({ headers: unlace(setup), granuleOffset: 0, sampleRateHz });
}

/** Opus in Ogg (RFC 7845); `setup` is its identification header. */
export function createOpusContainer(setup: Uint8Array, sampleRateHz: number): Container {
  const vendor = 'jyutsing';
  const tags = Buffer.alloc(8 + 4 + vendor.length + 4);
  tags.write('OpusTags', 0, 'latin1');
  tags.writeUInt32LE(vendor.length, 8);
  tags.write(vendor, 12, 'latin1');
  const preSkip = Buffer.from(setup).readUInt16LE(10);
  return createOggContainer({ headers: [setup, tags], granuleOffset: preSkip, sampleRateHz });
}

/**
 * Writes pages by RFC 3533. The last packet is held back, because the last page must be marked as
 * last and gives the end of the audio within its packet.
 */
function createOggContainer({ headers, granuleOffset, sampleRateHz }: Codec): Container {
  const pageSamples = (PAGE_MS * sampleRateHz) / 1_000;
  let sequence = 0;
  let isStarted = false;
  let waiting: CodecPacket[] = [];
  let waitingSamples = 0;
  let segments = 0;
  const page = (packets: readonly Uint8Array[], granule: number, flags: number) =>
    oggPage(packets, granule, flags, sequence++);
  const begin = (): Uint8Array[] => {
    if (isStarted) return [];
    isStarted = true;
    return [page(headers.slice(0, 1), 0, FIRST_PAGE), page(headers.slice(1), 0, 0)];
  };
  const flush = (flags: number): Uint8Array => {
    const last = waiting.at(-1);
    const granule = last === undefined ? 0 : last.startSample + last.sampleCount + granuleOffset;
    const bytes = page(
      waiting.map(({ data }) => data),
      Math.max(0, granule),
      flags,
    );
    waiting = [];
    waitingSamples = 0;
    segments = 0;
    return bytes;
  };
  return {
    add(packet) {
      const pieces = begin();
      const added = Math.floor(packet.data.length / 255) + 1;
      if (waiting.length > 0 && (waitingSamples >= pageSamples || segments + added > MAX_SEGMENTS))
        pieces.push(flush(0));
      waiting.push(packet);
      waitingSamples += packet.sampleCount;
      segments += added;
      return pieces;
    },
    end: () => [...begin(), flush(LAST_PAGE)],
    finalStart: () => null,
  };
}

function oggPage(packets: readonly Uint8Array[], granule: number, flags: number, sequence: number): Uint8Array {
  const lacing = packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / 255) }, () => 255),
    length % 255,
  ]);
  const head = Buffer.alloc(HEAD_BYTES + lacing.length);
  head.write('OggS', 0, 'latin1');
  head[5] = flags;
  head.writeBigInt64LE(BigInt(granule), 6);
  head.writeUInt32LE(SERIAL, 14);
  head.writeUInt32LE(sequence, 18);
  head[26] = lacing.length;
  head.set(lacing, HEAD_BYTES);
  const bytes = Buffer.concat([head, ...packets]);
  bytes.writeUInt32LE(checksum(bytes), 22);
  return bytes;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit += 1) value = (value << 1) ^ (value < 0 ? 0x04_c1_1d_b7 : 0);
  return value >>> 0;
});

/** Returns the checksum of a page in which that is 0 (RFC 3533, section 6). */
export function checksum(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = (crc << 8) ^ (CRC_TABLE[(crc >>> 24) ^ byte] ?? 0);
  return crc >>> 0;
}

/**
 * Splits laced headers: packet count minus one, lengths in bytes of up to 255, then the packets.
 * The last length is not written.
 */
function unlace(setup: Uint8Array): Uint8Array[] {
  const lengths: number[] = [];
  let at = 1;
  for (let packet = 0; packet < (setup[0] ?? 0); packet += 1) {
    let length = 0;
    for (;;) {
      const byte = setup[at++] ?? 0;
      length += byte;
      if (byte < 255) break;
    }
    lengths.push(length);
  }
  const packets = lengths.map((length) => setup.subarray(at, (at += length)));
  return [...packets, setup.subarray(at)];
}
