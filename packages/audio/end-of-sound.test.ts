import { AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P } from 'node-av/constants';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeSync, encoding, noise } from '#testbed/sound/audio.ts';
import { decodeAudio } from './decode.ts';
import { checksum } from './encoding/ogg-pages.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'end-of-sound-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const ENCODINGS = {
  mp3: encoding('mp3', 'libmp3lame', AV_SAMPLE_FMT_FLTP),
  mp2: encoding('mp2', 'mp2', AV_SAMPLE_FMT_S16),
  aac: encoding('adts', 'aac', AV_SAMPLE_FMT_FLTP),
  latm: encoding('latm', 'aac', AV_SAMPLE_FMT_FLTP),
  ac3: encoding('ac3', 'ac3', AV_SAMPLE_FMT_FLTP),
  tta: encoding('tta', 'tta', AV_SAMPLE_FMT_S16),
  wv: encoding('wv', 'wavpack', AV_SAMPLE_FMT_S16P),
};

/** A picture, in which some bytes look like the beginning of frames. */
const PICTURE = Buffer.from(Uint8Array.from({ length: 90_001 }, (_, at) => (at % 997 < 2 ? 0xff : at * 7)));
const text = (value: string) => Buffer.from(value, 'latin1');

function apeTag(content: Buffer): Buffer {
  const header = Buffer.alloc(32);
  header.write('APETAGEX', 'latin1');
  header.writeUInt32LE(2_000, 8);
  header.writeUInt32LE(content.length + 32, 12);
  header.writeUInt32LE(1, 16);
  const footer = Buffer.from(header);
  header.writeUInt32LE(0xa0_00_00_00, 20);
  footer.writeUInt32LE(0x80_00_00_00, 20);
  return Buffer.concat([header, content, footer]);
}

/** A tag of ID3v2.4 with a footer, whose size has seven bits in each byte. */
function appendedTag(content: Buffer): Buffer {
  const header = Buffer.from([0, 0, 0, 4, 0, 0x10, ...[21, 14, 7, 0].map((bits) => (content.length >> bits) & 0x7f)]);
  const [first, last] = [Buffer.from(header), Buffer.from(header)];
  first.write('ID3', 'latin1');
  last.write('3DI', 'latin1');
  return Buffer.concat([first, content, last]);
}

const ID3V1 = Buffer.concat([text('TAG'), Buffer.alloc(125, 0x20)]);
const LYRICS = Buffer.concat([text('LYRICSBEGININD0000200LYR00010'), Buffer.alloc(10, 0x41), text('000039LYRICS200')]);
const TAGS = {
  'ID3v1 and APE': Buffer.concat([apeTag(PICTURE), ID3V1]),
  'Lyrics3 and ID3v1': Buffer.concat([LYRICS, ID3V1]),
  'ID3v2.4': appendedTag(PICTURE),
};

async function decoded(bytes: Buffer) {
  const path = join(folder, 'sound');
  await writeFile(path, bytes);
  const chunks = decodeAudio(path, {
    sampleRateHz: 16_000,
    maxDurationMs: 60_000,
    signal: new AbortController().signal,
  });
  let samples = 0;
  for (;;) {
    const step = await chunks.next();
    if (step.done === true) return { durationMs: Math.round(samples / 16), isCutOff: step.value.isCutOff };
    samples += step.value.samples.length;
  }
}

function encoded(format: ReturnType<typeof encoding>): Promise<Buffer> {
  const path = join(folder, 'encoded');
  encodeSync(path, noise(1_500, 0.3, 48_000), format);
  return readFile(path);
}

it.each(Object.entries(ENCODINGS))('tags behind %s are no sound, however long', async (_name, format) => {
  const bytes = await encoded(format);
  const expected = await decoded(bytes);
  expect(expected).toMatchObject({ isCutOff: false });
  for (const [tag, tagBytes] of Object.entries(TAGS)) {
    const tagged = await decoded(Buffer.concat([bytes, tagBytes]));
    expect({ tag, ...tagged }).toEqual({ tag, ...expected });
  }
});

it('a last page of Ogg with an empty packet, as VLC writes it, is no damage', async () => {
  const bytes = await encoded(encoding('ogg', 'libopus', AV_SAMPLE_FMT_S16));
  const last = bytes.lastIndexOf('OggS');
  const page = Buffer.concat([bytes.subarray(last, last + 27), Buffer.from([0])]);
  page[26] = 1;
  page.writeUInt32LE(page.readUInt32LE(18) + 1, 18);
  bytes[last + 5] = 0;
  for (const changed of [page, bytes.subarray(last)]) {
    changed.writeUInt32LE(0, 22);
    changed.writeUInt32LE(checksum(changed), 22);
  }
  const { durationMs, isCutOff } = await decoded(Buffer.concat([bytes, page]));
  expect(isCutOff).toBe(false);
  // Only the flag of the last page says that its packet is not used to the end.
  expect(durationMs).toBeLessThan(1_520);
  expect(durationMs).toBeGreaterThanOrEqual(1_500);
});
