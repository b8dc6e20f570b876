import { describe, expect, it } from 'vitest';
import type { CodecPacket } from './codec-packets.ts';
import type { Container } from './containers.ts';
import { createOpusContainer, createVorbisContainer } from './ogg-pages.ts';

type Page = { flags: number; granule: number; serial: number; sequence: number; packets: Uint8Array[] };

/** Computes the checksum of RFC 3533 bit by bit. */
function crc32(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc = (crc ^ (byte << 24)) >>> 0;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc >>> 31 === 1 ? 0x04_c1_1d_b7 : 0)) >>> 0;
  }
  return crc;
}

/** Reads pages by RFC 3533; packets must not continue in another page. */
function readPages(file: Buffer): Page[] {
  const pages: Page[] = [];
  for (let at = 0; at < file.length;) {
    expect(file.toString('latin1', at, at + 5)).toBe('OggS\0');
    const segments = file[at + 26]!;
    const lacing = file.subarray(at + 27, at + 27 + segments);
    let start = at + 27 + segments;
    const packets: Uint8Array[] = [];
    let length = 0;
    for (const [index, value] of lacing.entries()) {
      length += value;
      if (value === 255) {
        expect(index).toBeLessThan(segments - 1);
        continue;
      }
      packets.push(file.subarray(start, start + length));
      start += length;
      length = 0;
    }
    const page = Buffer.from(file.subarray(at, start));
    page.writeUInt32LE(0, 22);
    expect(file.readUInt32LE(at + 22)).toBe(crc32(page));
    pages.push({
      flags: file[at + 5]!,
      granule: Number(file.readBigInt64LE(at + 6)),
      serial: file.readUInt32LE(at + 14),
      sequence: file.readUInt32LE(at + 18),
      packets,
    });
    at = start;
  }
  return pages;
}

function write(container: Container, packets: readonly CodecPacket[]): Page[] {
  const pieces = packets.flatMap((packet) => container.add(packet));
  pieces.push(...container.end({ samples: 0, setup: new Uint8Array(0) }));
  return readPages(Buffer.concat(pieces));
}

const packet = (length: number, index: number, sampleCount = 960): CodecPacket => ({
  data: new Uint8Array(length).fill(index + 1),
  startSample: index * sampleCount,
  sampleCount,
});

/** An identification header of Opus with 312 samples to skip. */
const OPUS_HEAD = Buffer.concat([
  Buffer.from('OpusHead', 'latin1'),
  Buffer.from([1, 1, 0x38, 0x01, 0x80, 0xbb, 0, 0, 0, 0, 0]),
]);
const opus = () => createOpusContainer(OPUS_HEAD, 48_000);

describe('the pages of an Ogg file', () => {
  it('begin with the headers on pages of their own and are numbered', () => {
    const pages = write(opus(), [packet(50, 0)]);
    expect(pages.map(({ flags }) => flags)).toEqual([2, 0, 4]);
    expect(pages.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
    expect(new Set(pages.map(({ serial }) => serial)).size).toBe(1);
    expect(pages[0]!.packets).toEqual([OPUS_HEAD]);
    const tags = Buffer.from(pages[1]!.packets[0]!);
    expect(tags.toString('latin1', 0, 8)).toBe('OpusTags');
    expect(tags.toString('latin1', 12, 12 + tags.readUInt32LE(8))).toBe('jyutsing');
    expect(tags.readUInt32LE(12 + tags.readUInt32LE(8))).toBe(0);
  });

  it.each([0, 1, 254, 255, 256, 510, 511, 5_000])('give a packet of %i bytes back', (length) => {
    const pages = write(opus(), [packet(length, 0), packet(3, 1)]);
    expect(pages.slice(2).flatMap(({ packets }) => packets.map((bytes) => bytes.length))).toEqual([length, 3]);
  });

  it('hold every packet once and in order, and at most 255 segments', () => {
    const lengths = Array.from({ length: 60 }, (_, index) => (index * 997) % 9_000);
    const pages = write(
      opus(),
      lengths.map((length, index) => packet(length, index, 1)),
    );
    const packets = pages.slice(2).flatMap(({ packets }) => packets);
    expect(packets.map(({ length }) => length)).toEqual(lengths);
    expect(packets.every((bytes, index) => bytes.every((byte) => byte === index + 1))).toBe(true);
    expect(pages.length).toBeGreaterThan(4);
  });

  it('state the end of their sound, with the samples to skip, and come every tenth of a second', () => {
    const pages = write(
      opus(),
      Array.from({ length: 12 }, (_, index) => packet(80, index)),
    ).slice(2);
    // 100 ms are 4800 samples: five packets of 20 ms.
    expect(pages.map(({ granule }) => granule - 312)).toEqual([4_800, 9_600, 11_520]);
    expect(pages.map(({ flags }) => flags)).toEqual([0, 0, 4]);
  });

  it('of an empty sound are the headers and an empty last page', () => {
    const pages = write(opus(), []);
    expect(pages.map(({ flags }) => flags)).toEqual([2, 0, 4]);
    expect(pages[2]!.granule).toBe(0);
  });

  it('never state a time before the start', () => {
    const early: CodecPacket = { data: new Uint8Array(4), startSample: -2_000, sampleCount: 960 };
    expect(write(opus(), [early]).at(-1)!.granule).toBe(0);
  });
});

const lace = (length: number) => [...Array.from({ length: Math.floor(length / 255) }, () => 255), length % 255];

describe('the three headers of Vorbis', () => {
  it.each([
    ['short', 30, 60, 100],
    ['longer than a length byte', 30, 700, 4_000],
    ['exactly 255 bytes', 255, 255, 255],
  ])('are taken apart where they are %s', (_name, first, second, third) => {
    const parts = [first, second, third].map((length, index) => Buffer.alloc(length, index + 1));
    const setup = Buffer.concat([Buffer.from([2, ...lace(first), ...lace(second)]), ...parts]);
    const pages = write(createVorbisContainer(setup, 44_100), [packet(10, 0)]);
    expect(pages[0]!.packets).toEqual([parts[0]]);
    expect(pages[1]!.packets).toEqual([parts[1], parts[2]]);
    expect(pages[2]!.granule).toBe(960);
  });
});
