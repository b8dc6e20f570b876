import { describe, expect, it } from 'vitest';
import { createAdtsContainer, createFlacContainer } from './containers.ts';
import { createMp3Container } from './mp3-frames.ts';

const NO_TOTALS = { samples: 0, setup: new Uint8Array(0) };

describe('AAC frames', () => {
  // AudioSpecificConfig: object type 5 bits, rate index 4, channels 4.
  it.each([
    ['low complexity, 44.1 kHz, mono', [0x12, 0x08], { profile: 1, rateIndex: 4, channels: 1 }],
    ['low complexity, 16 kHz, stereo', [0x14, 0x10], { profile: 1, rateIndex: 8, channels: 2 }],
    ['low complexity, 24 kHz, mono', [0x13, 0x08], { profile: 1, rateIndex: 6, channels: 1 }],
    ['main, 48 kHz, five channels', [0x09, 0xa8], { profile: 0, rateIndex: 3, channels: 5 }],
  ])('of %s say so in their header', (_name, setup, expected) => {
    for (const length of [1, 249, 250, 2_041, 8_184]) {
      const pieces = createAdtsContainer(Uint8Array.from(setup)).add({
        data: new Uint8Array(length),
        startSample: 0,
        sampleCount: 1_024,
      });
      const frame = Buffer.concat(pieces);
      const bits = BigInt(`0x${frame.toString('hex', 0, 7)}`);
      const field = (from: number, count: number) =>
        Number((bits >> BigInt(56 - from - count)) & ((1n << BigInt(count)) - 1n));
      expect(field(0, 12)).toBe(0xfff);
      // The header states no checksum, MPEG-4 and layer 0.
      expect([field(12, 1), field(13, 2), field(15, 1)]).toEqual([0, 0, 1]);
      expect({ profile: field(16, 2), rateIndex: field(18, 4), channels: field(23, 3) }).toEqual(expected);
      expect(field(30, 13)).toBe(frame.length);
      expect([field(43, 11), field(54, 2)]).toEqual([0x7ff, 0]);
    }
  });
});

const start = (info: Buffer) => Buffer.concat([Buffer.from('fLaC\x80\0\0\x22', 'latin1'), info]);

describe('FLAC', () => {
  const first = Buffer.alloc(34, 1);
  const final = Buffer.alloc(34, 2);

  it('starts once, with its stream information as the only block', () => {
    const container = createFlacContainer(first);
    const frame = { data: Uint8Array.of(0xff, 0xf8), startSample: 0, sampleCount: 4_096 };
    expect(Buffer.concat(container.add(frame))).toEqual(Buffer.concat([start(first), frame.data]));
    expect(container.add(frame)).toEqual([frame.data]);
    expect(container.end(NO_TOTALS)).toEqual([]);
  });

  it('without sound is its start alone', () => {
    expect(Buffer.concat(createFlacContainer(first).end(NO_TOTALS))).toEqual(start(first));
  });

  it('ends with the information that the encoder knew at the end, if it fits', () => {
    const container = createFlacContainer(first);
    expect(container.finalStart({ samples: 1, setup: final })).toEqual(start(final));
    expect(container.finalStart(NO_TOTALS)).toEqual(start(first));
  });
});

/** Frames of 24 kHz, 64 kbit/s (MPEG-2): 192 bytes and 576 samples. */
function mp3Packets(count: number, delaySamples = 1_105) {
  return Array.from({ length: count }, (_, index) => {
    const data = new Uint8Array(192).fill(index + 1);
    data.set([0xff, 0xf3, 0x84, 0xc4]);
    return { data, startSample: index * 576 - delaySamples, sampleCount: 576 };
  });
}

function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    // The generator polynomial is x¹⁶ + x¹⁵ + x² + 1, in reflected form.
    for (let bit = 0; bit < 8; bit += 1) {
      const isSet = ((crc ^ (byte >> bit)) & 1) === 1;
      crc = (crc >>> 1) ^ (isSet ? 0xa001 : 0);
    }
  }
  return crc;
}

describe('an MP3 file', () => {
  const packets = mp3Packets(10);
  const write = (samples: number) => {
    const container = createMp3Container({ isFile: true });
    const pieces = packets.flatMap((packet) => container.add(packet));
    const info = Buffer.from(container.finalStart({ samples, setup: new Uint8Array(0) })!);
    return { pieces, info, tag: info.subarray(4 + 9) };
  };

  it('begins with a frame that is as long when its numbers are known', () => {
    const { pieces, info } = write(4_000);
    expect(pieces).toHaveLength(11);
    expect(pieces[0]!.length).toBe(info.length);
    expect([...info.subarray(0, 4)]).toEqual([0xff, 0xf3, 0x84, 0xc4]);
    // The frame is silent until the numbers are known.
    expect(
      Buffer.from(pieces[0]!)
        .subarray(4)
        .every((byte) => byte === 0),
    ).toBe(true);
  });

  it('states frames, bytes, and a table that rises evenly', () => {
    const { tag, info } = write(4_000);
    expect(tag.toString('latin1', 0, 4)).toBe('Info');
    expect([tag.readUInt32BE(4), tag.readUInt32BE(8), tag.readUInt32BE(12)]).toEqual([15, 10, 10 * 192 + info.length]);
    expect([tag[16], tag[16 + 50], tag[16 + 99]]).toEqual([0, 128, 253]);
    expect(tag.readUInt32BE(148)).toBe(tag.readUInt32BE(12));
  });

  it('states where the sound begins and ends within its frames', () => {
    const { tag } = write(4_000);
    const delays = tag.readUIntBE(141, 3);
    // Decoders add a delay of 529 samples.
    expect(delays >> 12).toBe(1_105 - 529);
    expect(delays & 0xfff).toBe(10 * 576 - (1_105 - 529) - 4_000);
  });

  it('never states an end after the last frame', () => {
    expect(write(1e6).tag.readUIntBE(141, 3) & 0xfff).toBe(0);
  });

  it('has a valid checksum over its first frame', () => {
    const { info, tag } = write(4_000);
    expect(tag.readUInt16BE(154)).toBe(crc16(info.subarray(0, 4 + 9 + 154)));
  });

  it('without sound has no such frame', () => {
    expect(createMp3Container({ isFile: true }).finalStart(NO_TOTALS)).toBeNull();
  });
});

it('an MP3 stream drops whole frames of the delay and has no frame for numbers', () => {
  const container = createMp3Container({ isFile: false });
  const [first, second, ...laterPackets] = mp3Packets(5, 1_105 + 529);
  // The 576 samples of the first packet end before the sound begins.
  expect(container.add(first!)).toEqual([]);
  expect([second!, ...laterPackets].flatMap((packet) => container.add(packet))).toEqual(
    [second!, ...laterPackets].map(({ data }) => data),
  );
  expect(container.finalStart(NO_TOTALS)).toBeNull();
});
