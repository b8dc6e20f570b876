import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AudioContainer } from '@jyutsing/contracts/audio';
import { wholeOf } from './file-bytes.ts';
import { inspectEnd } from './cut-off.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cut-off-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function isCut(container: AudioContainer, bytes: Buffer): Promise<boolean> {
  const path = join(folder, 'sound');
  await writeFile(path, bytes);
  return (await inspectEnd(wholeOf(path), container)).isCutOff;
}

const text = (value: string) => Buffer.from(value, 'latin1');
const sound = (length: number) => Buffer.alloc(length, 0x11);
const u32be = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const u32le = (value: number) => Buffer.from(u32be(value).toReversed());
const u64be = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
};

/** A chunk of RIFF, whose length is padded to an even number. */
const riffChunk = (name: string, content: Buffer, size = content.length) =>
  Buffer.concat([text(name), u32le(size), content, Buffer.alloc(content.length % 2)]);
const wav = (...chunks: Buffer[]) => Buffer.concat([text('RIFF'), u32le(100), text('WAVE'), ...chunks]);
const box = (name: string, content: Buffer, size = content.length + 8) =>
  Buffer.concat([u32be(size), text(name), content]);
const largeBox = (name: string, content: Buffer) =>
  Buffer.concat([u32be(1), text(name), u64be(content.length + 16), content]);
const cafChunk = (name: string, content: Buffer, size = content.length) =>
  Buffer.concat([text(name), u64be(size), content]);

function oggPage(content: Buffer): Buffer {
  const lacing = [...Array.from({ length: Math.floor(content.length / 255) }, () => 255), content.length % 255];
  const head = Buffer.alloc(27);
  head.write('OggS', 'latin1');
  head[26] = lacing.length;
  return Buffer.concat([head, Buffer.from(lacing), content]);
}

function asf(sizeBytes: number, flags = 2): Buffer {
  const properties = Buffer.alloc(104);
  properties.write('a1dcab8c47a9cf118ee400c00c205365', 'hex');
  properties.writeBigUInt64LE(BigInt(sizeBytes), 40);
  properties.writeUInt32LE(flags, 88);
  return Buffer.concat([Buffer.alloc(30, 0x30), properties, sound(200)]);
}

/**
 * A chunk of Wave64, whose size counts its head; the name is that of RIFF and a part of an
 * identifier.
 */
function wave64Chunk(name: string, content: Buffer, size = content.length + 24): Buffer {
  const head = Buffer.alloc(24, 0x42);
  head.write(name, 'latin1');
  head.writeBigUInt64LE(BigInt(size), 16);
  return Buffer.concat([head, content, Buffer.alloc((8 - (content.length % 8)) % 8)]);
}

const wave64 = (...chunks: Buffer[]) => Buffer.concat([Buffer.alloc(40, 0x42), ...chunks]);
const riffList = (name: string, content: Buffer) =>
  Buffer.concat([text('RIFF'), u32le(content.length + 4), text(name), content]);

const flvTag = (content: Buffer) =>
  Buffer.concat([text('\x08'), u32be(content.length).subarray(1), sound(7), content, u32be(content.length + 11)]);
const vocBlock = (content: Buffer) => Buffer.concat([text('\x01'), u32le(content.length).subarray(0, 3), content]);
/** A frame of AAC with the stated number of bytes. */
const adts = (size: number) =>
  Buffer.concat([
    Buffer.from([0xff, 0xf1, 0x50, 0x40 | (size >> 11), (size >> 3) & 0xff, 0x1f | ((size & 7) << 5), 0xfc]),
    sound(size - 7),
  ]);
/** A frame of AMR of 12.2 kbit/s. */
const amr = (size: number) => Buffer.concat([Buffer.from([0x3c]), sound(size)]);

/** A Matroska file with a header of three bytes; `size` is the coded size of the segment. */
const matroska = (size: number[], content: Buffer) =>
  Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x83, 1, 2, 3, 0x18, 0x53, 0x80, 0x67, ...size]), content]);

const WHOLE: [string, AudioContainer, Buffer][] = [
  ['wav', 'wav', wav(riffChunk('fmt ', sound(16)), riffChunk('data', sound(301)))],
  [
    'wav with other chunks before the sound',
    'wav',
    wav(riffChunk('fmt ', sound(16)), riffChunk('LIST', sound(7)), riffChunk('data', sound(30))),
  ],
  ['m4a', 'm4a', Buffer.concat([box('ftyp', text('M4A ')), box('mdat', sound(100)), box('moov', sound(50))])],
  ['m4a with a size of 64 bits', 'm4a', Buffer.concat([box('ftyp', text('M4A ')), largeBox('mdat', sound(100))])],
  ['ogg', 'ogg', Buffer.concat([oggPage(sound(30)), oggPage(sound(600)), oggPage(sound(255))])],
  ['aiff', 'aiff', Buffer.concat([text('FORM'), u32be(54), text('AIFF'), sound(50)])],
  [
    'caf',
    'caf',
    Buffer.concat([text('caff\x00\x01\x00\x00'), cafChunk('desc', sound(32)), cafChunk('data', sound(99))]),
  ],
  ['wma', 'wma', asf(334)],
  ['w64', 'w64', wave64(wave64Chunk('fmt ', sound(16)), wave64Chunk('data', sound(301)))],
  ['avi', 'avi', Buffer.concat([riffList('AVI ', sound(200)), riffList('AVIX', sound(100))])],
  ['flv', 'flv', Buffer.concat([text('FLV\x01\x04\0\0\0\x09\0\0\0\0'), flvTag(sound(90)), flvTag(sound(60))])],
  [
    'voc',
    'voc',
    Buffer.concat([text('Creative Voice File\x1a\x1a\0\x0a\x01\x29\x11'), vocBlock(sound(90)), vocBlock(sound(60))]),
  ],
  ['aac', 'aac', Buffer.concat(Array.from({ length: 9 }, () => adts(80)))],
  ['aac behind other bytes', 'aac', Buffer.concat([sound(35), ...Array.from({ length: 9 }, () => adts(80))])],
  ['amr', 'amr', Buffer.concat([text('#!AMR\n'), ...Array.from({ length: 9 }, () => amr(31))])],
  ['webm', 'webm', matroska([0x40, 100], sound(100))],
  ['webm whose size begins with ones', 'webm', matroska([0x7f, 0x00], sound(0x3f00))],
];

describe.each(WHOLE)('%s', (_name, container, bytes) => {
  it('is whole', async () => {
    expect(await isCut(container, bytes)).toBe(false);
  });

  it('without its last bytes is cut off', async () => {
    // The chunks of Wave64 are filled to a multiple of 8 bytes.
    for (const cutBytes of [container === 'w64' ? 4 : 2, 10, 25])
      expect(await isCut(container, bytes.subarray(0, bytes.length - cutBytes))).toBe(true);
  });

  it('cut off anywhere is no error', async () => {
    for (let length = 0; length < Math.min(700, bytes.length); length += 7)
      expect(await isCut(container, bytes.subarray(0, length))).toBeTypeOf('boolean');
  });
});

describe('a size that nobody knew when the file was written', () => {
  it.each([
    ['wav of size 0', 'wav', wav(riffChunk('fmt ', sound(16)), riffChunk('data', sound(50), 0))],
    ['wav of the largest size', 'wav', wav(riffChunk('fmt ', sound(16)), riffChunk('data', sound(50), 0xff_ff_ff_ff))],
    ['wav of nearly the largest size', 'wav', wav(riffChunk('data', sound(50), 0x7f_ff_ff_00))],
    [
      'wav of 64 bits',
      'wav',
      Buffer.concat([text('RF64'), u32le(0xff_ff_ff_ff), text('WAVE'), riffChunk('data', sound(9), 90)]),
    ],
    ['m4a to the end of the file', 'm4a', Buffer.concat([box('ftyp', text('M4A ')), box('mdat', sound(30), 0)])],
    ['caf of size −1', 'caf', Buffer.concat([text('caff\x00\x01\x00\x00'), cafChunk('data', sound(20), -1)])],
    ['webm of a live recording', 'webm', matroska([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], sound(40))],
    ['webm of a live recording, short form', 'webm', matroska([0xff], sound(40))],
    ['w64 of size 0', 'w64', wave64(wave64Chunk('data', sound(50), 0))],
    ['avi of size 0', 'avi', Buffer.concat([text('RIFF'), u32le(0), text('AVI '), sound(50)])],
    ['wma of a broadcast', 'wma', asf(9_999_999, 1)],
  ] as [string, AudioContainer, Buffer][])(
    '%s does not mean that something is missing',
    async (_name, container, bytes) => {
      expect(await isCut(container, bytes)).toBe(false);
    },
  );
});

it.each(['mp3', 'flac', 'aac', 'amr'] as const)('%s is a stream of frames, which ends anywhere', async (container) => {
  expect(await isCut(container, sound(5))).toBe(false);
});

it('a zero that makes the length of CAF even does not mean that it breaks off', async () => {
  const file = [text('caff\x00\x01\x00\x00'), cafChunk('data', sound(19))];
  expect(await isCut('caf', Buffer.concat([...file, text('\0')]))).toBe(false);
  expect(await isCut('caf', Buffer.concat([...file, text('inf')]))).toBe(true);
});

it('a tag or a checksum behind the last frame does not mean that it breaks off', async () => {
  const frames = Array.from({ length: 9 }, () => adts(80));
  expect(await isCut('aac', Buffer.concat([...frames, text('TAG'), sound(125)]))).toBe(false);
  const packet = Buffer.concat([text('\x47'), sound(187)]);
  for (const [before, behind] of [
    [0, 0],
    [4, 0],
    [0, 16],
  ] as const) {
    const packets = Array.from({ length: 9 }, () => Buffer.concat([sound(before), packet, sound(behind)]));
    expect(await isCut('ts', Buffer.concat(packets))).toBe(false);
    expect(await isCut('ts', Buffer.concat(packets).subarray(0, -60))).toBe(true);
  }
});

it('compressed sound in CAF lacks its table of packets', async () => {
  const head = text('caff\0\x01\0\0');
  const [packed, constant] = [Buffer.alloc(32), Buffer.alloc(32).fill(2, 16, 20)];
  const rows: [Buffer[], boolean][] = [
    [[cafChunk('desc', packed), cafChunk('data', sound(50))], true],
    [[cafChunk('desc', packed), cafChunk('data', sound(50)), cafChunk('pakt', sound(9))], false],
    [[cafChunk('desc', constant), cafChunk('data', sound(50))], false],
  ];
  for (const [chunks, lacksIndex] of rows) {
    const path = join(folder, 'sound');
    await writeFile(path, Buffer.concat([head, ...chunks]));
    expect(await inspectEnd(wholeOf(path), 'caf')).toMatchObject({ lacksIndex });
  }
});

it('an ogg file is cut off after any byte of a page but its last', async () => {
  const complete = Buffer.concat([oggPage(sound(30)), oggPage(sound(300))]);
  const firstPageEnd = oggPage(sound(30)).length;
  const cutOff: number[] = [];
  for (let length = firstPageEnd; length <= complete.length; length += 1)
    if (await isCut('ogg', complete.subarray(0, length))) cutOff.push(length);
  // A file that ends with a page is a valid shorter one.
  expect(cutOff).toEqual(Array.from({ length: complete.length - firstPageEnd - 1 }, (_, i) => firstPageEnd + 1 + i));
});

it('the marker of a page within the sound is not taken for a page', async () => {
  const page = oggPage(Buffer.concat([sound(40), text('OggS'), sound(200)]));
  expect(await isCut('ogg', Buffer.concat([page, oggPage(sound(10))]))).toBe(false);
  expect(await isCut('ogg', Buffer.concat([oggPage(sound(10)), page]))).toBe(false);
});

it('after the middle of a page, which may look like a page, the last page counts', async () => {
  const middle = Buffer.concat([sound(40), text('OggS'), sound(500)]);
  const complete = Buffer.concat([middle, oggPage(sound(10)), oggPage(sound(400))]);
  expect(await isCut('ogg', complete)).toBe(false);
  expect(await isCut('ogg', complete.subarray(0, -20))).toBe(true);
});

it.each([
  ['mdat alone', [box('ftyp', text('M4A ')), box('mdat', sound(90))], true],
  ['mdat of unknown size', [box('ftyp', text('M4A ')), box('mdat', sound(90), 0)], true],
  ['an incomplete index', [box('ftyp', text('M4A ')), box('mdat', sound(9)), box('moov', sound(9), 99)], true],
  ['zeros', [box('ftyp', text('M4A ')), Buffer.alloc(40)], true],
  ['an index', [box('ftyp', text('M4A ')), box('moov', sound(9)), box('mdat', sound(9), 99)], false],
])('an m4a lacks its index: %s', async (_name, boxes, lacksIndex) => {
  const path = join(folder, 'sound');
  await writeFile(path, Buffer.concat(boxes));
  expect(await inspectEnd(wholeOf(path), 'm4a')).toMatchObject({ lacksIndex });
});
