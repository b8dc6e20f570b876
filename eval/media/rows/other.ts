import { writeFile } from 'node:fs/promises';
import { ffmpeg, run } from '../programs.ts';
import {
  CUT,
  cutAt,
  DURATION_MS,
  encode,
  film,
  later,
  LATE,
  originalSound,
  patched,
  type Kit,
  type Row,
} from '../row.ts';

const DSD_BLOCK = 4_096;
/** Samples of a frame that ffmpeg writes. */
const FLAC_FRAME = 4_608;
/** Four of them. */
const CUT_MS = (4 * FLAC_FRAME) / 48;

export const OTHER_ROWS: readonly Row[] = [
  row('w64', '16 bits', encode('-c:a pcm_s16le -f w64'), { isTranscribed: true }),
  row('w64', '24 bits at 96 kHz', encode('-c:a pcm_s24le -ar 96000 -f w64')),
  row('w64', 'float', encode('-c:a pcm_f32le -f w64')),
  row('w64', 'cut off', patched(encode('-f w64'), cutAt(0.65)), CUT),
  row('au', '16 bits', encode('-c:a pcm_s16be -f au'), { isTranscribed: true }),
  row('au', 'µ-law at 8 kHz', encode('-c:a pcm_mulaw -ar 8000 -f au')),
  row('au', 'of a size that is not known', patched(encode('-c:a pcm_s16be -f au'), withoutSize)),
  row('au', 'cut off', patched(encode('-c:a pcm_s16be -f au'), cutAt(0.65)), CUT),
  row('aiff', '16 bits', encode('-c:a pcm_s16be')),
  row('aiff', '24 bits', encode('-c:a pcm_s24be')),
  row('aiff', 'little-endian (sowt)', encode('-c:a pcm_s16le')),
  row('aiff', 'µ-law', encode('-c:a pcm_mulaw -ar 8000')),
  row('aiff', 'float', encode('-c:a pcm_f32be')),
  row('aiff', 'cut off', patched(encode('-c:a pcm_s16be'), cutAt(0.65)), CUT),
  row('caf', '16 bits', encode('-c:a pcm_s16be')),
  row('caf', 'Apple Lossless', encode('-c:a alac')),
  row('caf', 'float', encode('-c:a pcm_f32le')),
  row('caf', 'Opus', encode('-c:a libopus')),
  row('caf', 'cut off', patched(encode('-c:a pcm_s16be'), cutAt(0.65)), CUT),
  row('avi', 'PCM of an old camera', film('-c:v mjpeg -c:a pcm_u8 -ar 11025'), {
    isTranscribed: true,
  }),
  row('avi', 'MP3', film('-c:v mpeg4 -c:a libmp3lame')),
  row('avi', 'AC-3', film('-c:v mpeg4 -c:a ac3')),
  row('avi', 'Microsoft ADPCM', film('-c:v mjpeg -c:a adpcm_ms -ar 22050')),
  row('avi', 'Vorbis', film('-c:v mpeg4 -c:a libvorbis'), {
    reference: { wrong: 'FFmpeg takes counts of bytes for times' },
  }),
  row('avi', 'MP3 that was written to a pipe', patched(encode('-c:a libmp3lame'), fromPipe)),
  row('avi', 'cut off', patched(film('-c:v mjpeg -c:a pcm_s16le'), cutAt(0.65)), CUT),
  row('wma', 'Windows Media Audio 2', encode('-c:a wmav2'), { isTranscribed: true }),
  row('wma', 'Windows Media Audio 1', encode('-c:a wmav1')),
  row('wma', 'of a dictaphone, 16 kHz', encode('-c:a wmav2 -ar 16000 -b:a 32k')),
  row('wma', 'of another program with the encoder of FFmpeg', patched(encode('-c:a wmav2'), ofAnother)),
  row('wma', 'a film whose sound is 3 s late', film('-c:v msmpeg4v3 -c:a wmav2 -f asf', '-itsoffset 3'), LATE),
  row('wma', 'cut off', patched(encode('-c:a wmav2'), cutAt(0.7)), CUT),
  row('flac', '16 bits', encode('-c:a flac'), { isTranscribed: true }),
  row('flac', '24 bits at 96 kHz', encode('-c:a flac -sample_fmt s32 -ar 96000')),
  row('flac', 'behind a tag', patched(encode('-c:a flac'), behindTag)),
  row('flac', 'without a length, from a pipe', patched(encode('-c:a flac'), withoutLength)),
  row('flac', 'written by sox', ({ master }, path) => run('sox', [master, path])),
  row('flac', 'a damaged frame in a pause', patched(encode('-c:a flac'), damagedPause), {
    reference: { wrong: 'FFmpeg leaves out damaged frames' },
    chargedMs: DURATION_MS - 96,
  }),
  row(
    'flac',
    'noise instead of frames',
    patched(encode('-c:a flac'), (bytes) => bytes.fill(0x55, bytes.indexOf('fff8', 42, 'hex'))),
    {
      codes: ['corrupt_audio'],
      says: /damaged|corrupt/i,
    },
  ),
  row('flac', 'all frames damaged', patched(encode('-c:a flac'), ruined), {
    codes: ['corrupt_audio'],
    says: /damaged|corrupt/i,
  }),
  row('flac', 'a part that was cut from another file', cutFlac, {
    heard: later(-CUT_MS),
    durationMs: DURATION_MS - CUT_MS,
  }),
  row('flac', 'cut off', patched(encode('-c:a flac'), cutAt(0.7)), CUT),
  row('nut', 'PCM', encode('-c:a pcm_s16le'), { orSays: /NUT/ }),
  row('voc', 'of a sound card', encode('-c:a pcm_u8 -ar 8000'), { orSays: /VOC|Creative/ }),
  row('sph', 'of a corpus', ({ master }, path) => run('sox', [master, '-t', 'sph', path]), { orSays: /SPH|NIST/ }),
  row('flv', 'a film', film('-c:v flv -c:a libmp3lame -ar 44100'), { orSays: /Flash/ }),
  row('flv', 'MP3', encode('-c:a libmp3lame -ar 44100'), { orSays: /Flash/ }),
  row('rm', 'AC-3', encode('-c:a ac3 -f rm'), { orSays: /Real/ }),
  row('dsf', 'of a music shop', deltaSigma, { orSays: /DSD|DSF/ }),
  row('wv', 'WavPack', encode('-c:a wavpack'), { isTranscribed: true }),
  row('wv', 'WavPack of 24 bits at 96 kHz', encode('-c:a wavpack -sample_fmt s32p -ar 96000')),
  row('wv', 'cut off', patched(encode('-c:a wavpack'), cutAt(0.7)), {
    ...CUT,
    orSays: /cut off|ends too early/,
  }),
  row('tta', 'TTA', encode('-c:a tta'), { isTranscribed: true }),
  row('tta', 'TTA of 24 bits', encode('-c:a tta -sample_fmt s32')),
  row('tta', 'cut off', patched(encode('-c:a tta'), cutAt(0.7)), {
    ...CUT,
    orSays: /cut off|ends too early/,
  }),
];

/** Files that are not accepted; the answer names what they are. */
export const REFUSED_ROWS: readonly Row[] = [
  refused('silk of WeChat', 'silk', bytesOf('\x02#!SILK_V3\x0c\0'), /SILK/i),
  refused('silk of QQ', 'slk', bytesOf('#!SILK_V3\x0c\0'), /SILK/i),
  refused('DSS of a dictaphone', 'dss', bytesOf('\x02dss\x01\0'), /DSS/i),
  refused('DS2 of a dictaphone', 'ds2', bytesOf('\x03ds2\x01\0'), /DSS|DS2/i),
  damaged('DSDIFF', 'dff', bytesOf('FRM8\0\0\0\0\0\0\x40\0DSD '), /DSD/),
  damaged("Monkey's Audio", 'ape', bytesOf('MAC \x96\x0f\0\0'), /Monkey|APE/),
  damaged('Musepack 8', 'mpc', bytesOf('MPCKSH\x0e\0'), /Musepack/),
  refused('Musepack 7', 'mpc', bytesOf('MP+\x07\0\0'), /Musepack/),
  refused('MIDI', 'mid', bytesOf('MThd\0\0\0\x06\0\x01'), /MIDI/),
  refused('a PDF document', 'mp3', bytesOf('%PDF-1.7\n'), /PDF/),
  refused('a web page', 'wav', bytesOf('<!DOCTYPE html><html><body>'), /HTML/),
  refused('a ZIP archive', 'm4a', bytesOf('PK\x03\x04'), /ZIP/),
  refused('a playlist', 'mp3', bytesOf('#EXTM3U\nfile.mp3\n'), /text|playlist/),
  refused('text', 'wav', bytesOf('It is a text and no sound. '.repeat(50)), /text/),
  refused('nothing', 'wav', (_, path) => writeFile(path, ''), /empty/),
  refused('zero bytes', 'wav', (_, path) => writeFile(path, Buffer.alloc(50_000)), /zero|unknown/),
  refused(
    'a picture',
    'm4a',
    (_, path) => ffmpeg('-f', 'lavfi', '-i', 'color=size=64x64', '-frames:v', '1', '-f', 'image2', '-c:v', 'png', path),
    /PNG/,
  ),
];

/** Programs that cannot go back leave the sizes at the largest value. */
function fromPipe(bytes: Buffer): Buffer {
  bytes.writeUInt32LE(0xff_ff_ff_ff, 4);
  bytes.writeUInt32LE(0x40_00_00_00, bytes.indexOf('strh') + 40);
  return bytes;
}

function ofAnother(bytes: Buffer): Buffer {
  bytes.write('Else', bytes.indexOf('Lavf', 0, 'utf16le'), 'utf16le');
  return bytes;
}

async function cutFlac({ master }: Kit, path: string): Promise<void> {
  const whole = `${path}.whole.flac`;
  await ffmpeg('-i', master, '-c:a', 'flac', '-frame_size', String(FLAC_FRAME), whole);
  await ffmpeg('-ss', String(CUT_MS / 1_000), '-i', whole, '-c', 'copy', path);
}

function row(kind: string, what: string, make: Row['make'], expected: Row['expected'] = {}): Row {
  return { kind, what, ending: kind, make, expected };
}

function refused(what: string, ending: string, make: Row['make'], says: RegExp): Row {
  return {
    kind: 'refused',
    what,
    ending,
    make,
    expected: { codes: ['unsupported_audio_format'], says },
  };
}

/** A file that breaks off behind its beginning: it is named, or called damaged. */
function damaged(what: string, ending: string, make: Row['make'], says: RegExp): Row {
  const codes = ['unsupported_audio_format', 'corrupt_audio'] as const;
  return { kind: 'refused', what, ending, make, expected: { codes, says: new RegExp(`${says.source}|damaged`) } };
}

/** A file of which only the beginning is as in the format. */
function bytesOf(start: string): Row['make'] {
  return (_, path) => writeFile(path, Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(3_000, 0x5a)]));
}

/** The size of an AU file that is written to a pipe. */
function withoutSize(bytes: Buffer): Buffer {
  bytes.writeUInt32BE(0xffff_ffff, 8);
  return bytes;
}

/** Sets the number of samples in STREAMINFO, of 36 bits, to 0, which means unknown. */
function withoutLength(bytes: Buffer): Buffer {
  bytes[21] = bytes[21]! & 0xf0;
  return bytes.fill(0, 22, 26);
}

function behindTag(bytes: Buffer): Buffer {
  const tag = Buffer.from('ID3\x03\0\0\0\0\x01\0', 'latin1');
  return Buffer.concat([tag, Buffer.alloc(128), bytes]);
}

/** Overwrites the middle of the frame at 3 s, which is a pause; frames begin with 0xFFF8. */
function damagedPause(bytes: Buffer): Buffer {
  let at = 42;
  for (let frame = 0; frame < (3 * 48_000) / FLAC_FRAME; frame += 1) at = bytes.indexOf('fff8', at + 2, 'hex');
  return bytes.fill(0x55, at + 6, at + 9);
}

function ruined(bytes: Buffer): Buffer {
  for (let at = 9_000; at < bytes.length; at += 50) bytes[at] = bytes[at]! ^ 0x55;
  return bytes;
}

/**
 * Direct Stream Digital: 64 bits for each sample at 44.1 kHz, whose mean is the sample, by a
 * modulator of first order. Blocks of 4096 bytes, the lowest bit first.
 */
async function deltaSigma(_: Kit, path: string): Promise<void> {
  const { channels } = await originalSound(44_100);
  const samples = channels[0]!;
  const bytes = Buffer.alloc(Math.ceil((samples.length * 8) / DSD_BLOCK) * DSD_BLOCK, 0x69);
  let error = 0;
  for (let bit = 0; bit < samples.length * 64; bit += 1) {
    error += samples[bit >> 6]!;
    const isOne = error >= 0;
    error -= isOne ? 1 : -1;
    const at = bit >> 3;
    bytes[at] = isOne ? bytes[at]! | (1 << (bit & 7)) : bytes[at]! & ~(1 << (bit & 7));
  }
  const head = Buffer.alloc(92);
  head.write('DSD ', 0, 'latin1');
  head.writeBigUInt64LE(28n, 4);
  head.writeBigUInt64LE(BigInt(92 + bytes.length), 12);
  head.write('fmt ', 28, 'latin1');
  head.writeBigUInt64LE(52n, 32);
  // Version 1, raw, one channel, its type, the rate, and one bit for each sample.
  for (const [index, value] of [1, 0, 1, 1, 2_822_400, 1].entries()) head.writeUInt32LE(value, 40 + index * 4);
  head.writeBigUInt64LE(BigInt(samples.length * 64), 64);
  head.writeUInt32LE(DSD_BLOCK, 72);
  head.write('data', 80, 'latin1');
  head.writeBigUInt64LE(BigInt(12 + bytes.length), 84);
  await writeFile(path, Buffer.concat([head, bytes]));
}
