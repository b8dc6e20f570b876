import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wholeOf } from './file-bytes.ts';
import { identifyContainer } from './container.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'container-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function identify(...parts: (string | Buffer)[]) {
  const path = join(folder, 'sound');
  await writeFile(
    path,
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part))),
  );
  const identified = await identifyContainer(wholeOf(path));
  return identified.container ?? identified.found;
}

const zeros = (length: number) => Buffer.alloc(length);

/** An MPEG frame of layer III: 128 kbit/s at 44.1 kHz, 417 bytes, or 418 with padding. */
function mp3Frame({ header = 0xff_fb_90_00, bytes = 417 } = {}): Buffer {
  const frame = zeros(bytes);
  frame.writeUInt32BE(header);
  return frame;
}
const PADDED_FRAME = mp3Frame({ header: 0xff_fb_92_00, bytes: 418 });
/** MPEG-2 at 22.05 kHz and 64 kbit/s: 208 bytes. */
const MPEG2_FRAME = mp3Frame({ header: 0xff_f3_80_00, bytes: 208 });

function adtsFrame(bytes: number, rateIndex = 4): Buffer {
  const frame = zeros(bytes);
  frame.set([
    0xff,
    0xf1,
    0x40 | (rateIndex << 2),
    0x80 | (bytes >> 11),
    (bytes >> 3) & 0xff,
    ((bytes & 7) << 5) | 0x1f,
    0xfc,
  ]);
  return frame;
}

/** A tag in front of the sound; its size has seven bits in each byte. */
function id3(bytes: number): Buffer {
  const size = [21, 14, 7, 0].map((shift) => (bytes >> shift) & 0x7f);
  return Buffer.concat([Buffer.from('ID3\x04\x00\x00', 'latin1'), Buffer.from(size), Buffer.alloc(bytes, 0xff)]);
}

describe('a container is told by its first bytes', () => {
  it.each([
    ['wav', 'RIFF\x10\x00\x00\x00WAVEfmt '],
    ['wav', 'RF64\xff\xff\xff\xffWAVEds64'],
    ['wav', 'BW64\xff\xff\xff\xffWAVEds64'],
    ['flac', 'fLaC\x00\x00\x00\x22'],
    ['ogg', 'OggS\x00\x02'],
    ['m4a', '\x00\x00\x00\x20ftypM4A '],
    ['m4a', '\x00\x00\x00\x08wide\x00\x00\x00\x00mdat'],
    ['m4a', '\x00\x01\x00\x00moov'],
    ['webm', '\x1aE\xdf\xa3\x9f'],
    ['amr', '#!AMR\n<'],
    ['amr', '#!AMR-WB\n'],
    ['aiff', 'FORM\x00\x00\x10\x00AIFFCOMM'],
    ['aiff', 'FORM\x00\x00\x10\x00AIFCFVER'],
    ['caf', 'caff\x00\x01\x00\x00'],
    ['wma', '0&\xb2u\x8ef\xcf\x11\xa6\xd9'],
    ['wav', 'RIFX\x00\x00\x00\x10WAVEfmt '],
    ['w64', 'riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\x00\x00'],
    ['au', '.snd\x00\x00\x00\x18'],
    ['ircam', '\x64\xa3\x01\x00'],
    ['ircam', '\x00\x02\xa3\x64'],
    ['voc', 'Creative Voice File\x1a'],
    ['sph', 'NIST_1A\n   1024\n'],
    ['8svx', 'FORM\x00\x00\x10\x008SVXVHDR'],
    ['wv', 'wvpk\x00\x01'],
    ['tta', 'TTA1\x01\x00'],
    ['ape', 'MAC \x96\x0f'],
    ['mpc', 'MPCKSH'],
    ['dsf', 'DSD \x1c\x00\x00\x00\x00\x00\x00\x00'],
    ['dff', 'FRM8\x00\x00\x00\x00\x00\x00\x10\x00DSD '],
    ['rm', '.RMF\x00\x00\x00\x12'],
    ['nut', 'nut/multimedia container\x00'],
    ['flv', 'FLV\x01\x04'],
    ['avi', 'RIFF\x10\x00\x00\x00AVI LIST'],
    ['mpg', '\x00\x00\x01\xba\x44'],
    ['mxf', '\x06\x0e\x2b\x34\x02\x05\x01\x01\x0d\x01\x02\x01\x01\x02'],
    ['dts', '\x7f\xfe\x80\x01'],
  ])('%s', async (container, start) => {
    expect(await identify(start, zeros(40))).toBe(container);
  });

  it.each([
    ['empty', ''],
    ['a WebP picture', 'RIFF\x10\x00\x00\x00WEBPVP8 '],
    ['a RIFF file without sound', 'RIFF\x10\x00\x00\x00ACONanih'],
    ['an MPEG video without sound', '\x00\x00\x01\xb3'],
    ['an icon', '\x00\x00\x01\x00'],
    ['a dictation in the DS2 format', '\x03ds2'],
    ['Musepack sound of version 7', 'MP+\x07'],
    ['SILK sound of a chat program', '\x02#!SILK_V3'],
    ['an RTF document', '{\\rtf1\\ansi'],
    ['a RAR archive', 'Rar!\x1a\x07\x00'],
    ['an XML document', '<?xml version="1.0"?>'],
    ['JSON', '{ "text": "" }'],
    ['text', Buffer.from('\u{feff}會議', 'utf16le').toString('latin1')],
    ['a PDF document', '%PDF-1.7'],
    ['a PNG picture', '\x89PNG\r\n'],
    ['a JPEG picture', '\xff\xd8\xff\xe0'],
    ['a ZIP archive or an Office document', 'PK\x03\x04'],
    ['a MIDI file', 'MThd\x00\x00'],
    ['an HTML page', '<!DOCTYPE html>\n<html>'],
    ['an HTML page', '\n <html lang="en">'],
    ['text', Buffer.from('# 今日開會嘅筆記').toString('latin1')],
    ['text', Buffer.from('\u{feff}會議紀錄：A, b').toString('latin1')],
    ['text', '#EXTM3U\nhttp://example.com/sound.mp3\n'],
    ['data of an unknown format', '\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb'],
    ['data of an unknown format', 'FORM\x00\x00\x10\x00ILBM'],
    ['data of an unknown format', `A program wrote this line.${'\x00\xff'.repeat(40)}`],
  ])('%s is none', async (name, start) => {
    expect(await identify(start)).toBe(name);
  });

  it('the first bytes of a picture with MPEG frames in it count', async () => {
    expect(await identify('\xff\xd8\xff\xe0', zeros(60), mp3Frame(), mp3Frame(), mp3Frame(), mp3Frame())).toBe(
      'a JPEG picture',
    );
  });
});

describe('MPEG audio, which has no header of its own', () => {
  it.each([
    ['three frames', [mp3Frame(), mp3Frame(), mp3Frame()]],
    ['frames with and without padding', [PADDED_FRAME, mp3Frame(), PADDED_FRAME]],
    ['MPEG-2', [MPEG2_FRAME, MPEG2_FRAME, MPEG2_FRAME]],
    ['a file of a single frame', [mp3Frame()]],
    ['the middle of a stream', [Buffer.alloc(300, 0x55), mp3Frame(), mp3Frame(), mp3Frame()]],
    ['zeros before it', [zeros(3_000_001), mp3Frame(), mp3Frame(), mp3Frame()]],
    ['a tag with zeros behind it', [id3(200), zeros(90_000), mp3Frame(), mp3Frame(), mp3Frame()]],
    ['a tag before it', [id3(5_000), mp3Frame(), mp3Frame(), mp3Frame()]],
    ['two tags before it', [id3(200), id3(10), mp3Frame(), mp3Frame(), mp3Frame()]],
  ])('is known by %s', async (_name, parts) => {
    expect(await identify(...parts)).toBe('mp3');
  });

  it.each([
    ['a header without a second frame', [mp3Frame(), zeros(600)]],
    ['frames of different rates', [mp3Frame(), mp3Frame({ header: 0xff_fb_94_00, bytes: 384 }), mp3Frame(), zeros(3)]],
    ['a reserved version', [mp3Frame({ header: 0xff_eb_90_00 }), mp3Frame({ header: 0xff_eb_90_00 })]],
    ['a bit rate that is not allowed', [mp3Frame({ header: 0xff_fb_f0_00 }), mp3Frame({ header: 0xff_fb_f0_00 })]],
    ['a single frame at the end of other data', [Buffer.alloc(300, 0x05), mp3Frame()]],
    ['frames far behind other data', [Buffer.alloc(70_000, 0x05), mp3Frame(), mp3Frame(), mp3Frame()]],
    ['a tag without sound', [id3(100)]],
    ['a tag that claims to be larger than the file', [id3(100).subarray(0, 60)]],
  ])('is not %s', async (_name, parts) => {
    expect(await identify(...parts)).toBe('data of an unknown format');
  });

  it('FLAC behind a tag is FLAC', async () => {
    expect(await identify(id3(64), 'fLaC', zeros(50))).toBe('flac');
  });
});

describe('raw AAC', () => {
  it('is known by frames of one rate', async () => {
    expect(await identify(adtsFrame(300), adtsFrame(210), adtsFrame(333))).toBe('aac');
    expect(await identify(id3(30), adtsFrame(300), adtsFrame(210), adtsFrame(333))).toBe('aac');
  });

  it('is not known by frames that do not follow one another', async () => {
    expect(await identify(adtsFrame(300), adtsFrame(300, 8), adtsFrame(300))).toBe('data of an unknown format');
    expect(await identify(adtsFrame(300), zeros(1), adtsFrame(300))).toBe('data of an unknown format');
  });

  it('a frame that claims to be shorter than its header ends the search', async () => {
    const frame = adtsFrame(300);
    frame.set([0x80, 0, 0x1f], 3);
    expect(await identify(frame, frame, frame)).toBe('data of an unknown format');
  });
});

it('no start of a known file, cut off anywhere, is an error', async () => {
  const start = Buffer.concat([id3(12), mp3Frame(), mp3Frame()]);
  for (let length = 0; length <= 48; length += 1)
    await expect(identify(start.subarray(0, length))).resolves.toBeTypeOf('string');
});
