import { readFile, writeFile } from 'node:fs/promises';
import { ffmpeg, run } from '../programs.ts';
import {
  CUT,
  cutAt,
  DURATION_MS,
  encode,
  film,
  later,
  LATE,
  onTheWay,
  patched,
  paused,
  PAUSED,
  words,
} from '../row.ts';
import type { Kit, Row, Whole } from '../row.ts';

const TWICE: Whole = {
  heard: [...later(0), ...later(DURATION_MS)],
  durationMs: null,
  chargedMs: 2 * DURATION_MS,
  toleranceMs: 50,
};
/**
 * The beginning is missing, so that only a decoder can tell where sentences are; decoders differ by
 * the frame with which an encoder begins.
 */
const JOINED_IN: Whole = { heard: 'as the second implementation', durationMs: null, toleranceMs: 30 };

const AFTER_ZEROS: Whole = {
  reference: { wrong: 'FFmpeg finds no Xing header behind zero bytes' },
};

/** Frames with no room for the header that states the delay of the encoder. */
const NO_ROOM: Whole = { reference: { wrong: 'FFmpeg leaves in the delay that no header states' } };

/** MP3 files by how lame makes them. */
const LAME: readonly [what: string, args: string, expected?: Whole][] = [
  ['128 kbit/s', '-b 128', { isTranscribed: true }],
  ['variable rate with a Xing header', '-V 4'],
  ['variable rate without a Xing header', '-V 4 -t'],
  ['average rate', '--abr 64'],
  ['free format', '--freeformat -b 200', { reference: 'sox', isTranscribed: true }],
  ['with checksums', '-p -b 96'],
  ['22.05 kHz', '--resample 22.05 -b 32'],
  ['16 kHz, 24 kbit/s', '--resample 16 -b 24', NO_ROOM],
  ['8 kHz, 8 kbit/s', '--resample 8 -b 8', NO_ROOM],
  ['48 kHz, 320 kbit/s', '-b 320'],
  ['with tags of both versions', '--add-id3v2 --tt title --ta artist'],
];

export const MPEG_ROWS: readonly Row[] = [
  ...LAME.map(([what, args, expected]) => mp3(what, lame(args), expected)),
  mp3('a picture of 300 KB in the tag', patched(lame('-b 64'), behindTag(300_000))),
  mp3(
    'two tags one after the other',
    patched(lame('-b 64'), (bytes) => behindTag(500)(behindTag(500)(bytes))),
  ),
  mp3('an APE tag behind the sound', patched(lame('-b 64'), withApeTag)),
  mp3('100 zero bytes first', patched(lame('-b 64'), zerosFirst(100)), AFTER_ZEROS),
  mp3('3000 zero bytes first', patched(lame('-b 64'), zerosFirst(3_000)), {
    ...AFTER_ZEROS,
    isTranscribed: true,
  }),
  mp3('20000 zero bytes first', patched(lame('-b 64'), zerosFirst(20_000)), AFTER_ZEROS),
  mp3('cut from a stream in the middle of a frame', patched(lame('-b 64 -t'), dropFirst(0.32)), JOINED_IN),
  mp3('cut off', patched(lame('-b 64'), cutAt(0.7)), CUT),
  mp3('cut off, without a Xing header', patched(lame('-b 64 -t'), cutAt(0.7)), CUT),
  mp3('cut off, variable rate', patched(lame('-V 4'), cutAt(0.7)), CUT),
  mp3('two joined', joined(['-b 64', '-b 64']), TWICE),
  mp3('two joined, of different rates', joined(['-b 64', '-b 32 --resample 22.05']), {
    ...TWICE,
    durationMs: 2 * DURATION_MS,
    reference: { wrong: 'FFmpeg doubles the first part when the rate changes' },
  }),
  mp3('an APE tag with a picture, longer than the sound', patched(encode('-b:a 64k'), beforeApe)),
  mp3('two joined, with tags', joined(['-b 64 --add-id3v2 --tt one', '-b 64 --add-id3v2 --tt two']), TWICE),
  mp3('stereo', ({ master }, path) => viaWav(master, path, '-ac 2', '-m j -b 128')),
  mp3('scratched in a pause', patched(lame('-b 64'), scratched), {
    toleranceMs: 60,
    reference: { wrong: 'FFmpeg leaves out what is damaged' },
  }),
  row('MP2', 'mp2', encode('-c:a mp2'), { isTranscribed: true }),
  row('MP2 at 16 kHz', 'mp2', encode('-c:a mp2 -ar 16000 -b:a 64k')),
  row('AC-3', 'ac3', encode('-c:a ac3'), { isTranscribed: true }),
  row('AC-3, 5.1 sound', 'ac3', encode('-c:a ac3 -ac 6')),
  row('E-AC-3', 'eac3', encode('-c:a eac3'), { orSays: /E-?AC-?3/i }),
  row('DTS', 'dts', encode('-c:a dca -strict -2'), { orSays: /DTS/i }),
  row('AAC (ADTS)', 'aac', encode('-c:a aac'), { isTranscribed: true }),
  row('AAC behind a tag, of a station', 'aac', patched(encode('-c:a aac'), behindTag(63))),
  row('AAC in segments of HLS, joined, with tags', 'aac', segments),
  row('AAC, joined with another rate', 'aac', twoRates, {
    ...TWICE,
    // The last frame of the first part lasts 64 ms.
    toleranceMs: 70,
    reference: { wrong: 'FFmpeg keeps the length of the frames of the first part' },
  }),
  row('AAC, cut from a stream', 'aac', patched(encode('-c:a aac'), dropFirst(0.3)), JOINED_IN),
  row('AAC in LATM', 'latm', encode('-c:a aac -f latm'), { isTranscribed: true }),
  row('AAC in LATM, cut from a stream', 'loas', patched(encode('-c:a aac -f latm'), dropFirst(0.3)), JOINED_IN),
];

export const TRANSPORT_ROWS: readonly Row[] = [
  ts('AAC', encode('-c:a aac'), { isTranscribed: true }),
  ts('MP2', encode('-c:a mp2')),
  ts('AC-3', encode('-c:a ac3')),
  ts('Opus', encode('-c:a libopus')),
  ts('a broadcast with a picture', film('-c:v mpeg2video -c:a mp2')),
  ts('sound 3 s later than the picture', film('-c:v mpeg2video -c:a aac', '-itsoffset 3'), {
    ...LATE,
    reference: { wrong: 'FFmpeg counts from the first track that it decodes' },
  }),
  ts('the clock passes 2³³', encode('-c:a aac -output_ts_offset 95438')),
  ts(
    'joined in the middle',
    patched(encode('-c:a aac -mpegts_flags resend_headers -pat_period 0.1'), dropFirst(0.35)),
    JOINED_IN,
  ),
  ts('two recordings joined', twoStreams, TWICE),
  ts('packets lost in a pause', patched(encode('-c:a aac -b:a 64k'), withoutPart), {
    durationMs: null,
    chargedMs: DURATION_MS - 1_100,
  }),
  ts('a pause of the recorder', pausedStream, PAUSED),
  ts('cut off', patched(encode('-c:a aac'), cutAt(0.7)), CUT),
  {
    ...ts('of a camera (packets of 192 bytes)', encode('-c:a ac3 -f mpegts -mpegts_m2ts_mode 1')),
    ending: 'm2ts',
  },
  ...(['mp2', 'ac3'] as const).map((codec): Row => ({
    ...ts(`${codec} of a DVD`, film(`-c:v mpeg2video -c:a ${codec} -f vob`), { orSays: /MPEG/i }),
    ending: 'vob',
  })),
];

/** A tag of APE with a picture, whose size counts the footer. */
function beforeApe(bytes: Buffer): Buffer {
  const picture = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, at) => (at % 997 < 2 ? 0xff : at * 7)));
  const footer = Buffer.alloc(32);
  footer.write('APETAGEX', 'latin1');
  footer.writeUInt32LE(2_000, 8);
  footer.writeUInt32LE(picture.length + footer.length, 12);
  return Buffer.concat([bytes, picture, footer]);
}

async function twoRates(kit: Kit, path: string): Promise<void> {
  const parts = ['-c:a aac -ar 16000', '-c:a aac'].map((args, at) => onTheWay(kit, `rate-${at}.aac`, encode(args)));
  await writeFile(path, Buffer.concat(await Promise.all((await Promise.all(parts)).map((part) => readFile(part)))));
}

function row(what: string, ending: string, make: Row['make'], expected: Row['expected'] = {}): Row {
  return { kind: 'mpeg', what, ending, make, expected };
}

function mp3(what: string, make: Row['make'], expected: Row['expected'] = {}): Row {
  return { kind: 'mp3', what, ending: 'mp3', make, expected };
}

function ts(what: string, make: Row['make'], expected: Row['expected'] = {}): Row {
  return { kind: 'mpeg-ts', what, ending: 'ts', make, expected };
}

function lame(args: string): Row['make'] {
  return ({ master }, path) => run('lame', ['--quiet', ...words(args), master, path]);
}

async function viaWav(master: string, path: string, toWav: string, toMp3: string): Promise<void> {
  const wav = `${path}.wav`;
  await ffmpeg('-i', master, ...words(toWav), wav);
  await run('lame', ['--quiet', ...words(toMp3), wav, path]);
}

/** Several files one after the other. */
function joined(encodings: readonly string[]): Row['make'] {
  return async (kit, path) => {
    const parts: Buffer[] = [];
    for (const [index, encoding] of encodings.entries())
      parts.push(await readFile(await onTheWay(kit, `joined-${index}.mp3`, lame(encoding))));
    await writeFile(path, Buffer.concat(parts));
  };
}

/** Puts a tag of this size (ID3 2.3, with sizes of 7 bits a byte) before the sound. */
function behindTag(size: number): (bytes: Buffer) => Buffer {
  const head = Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1');
  for (let at = 0; at < 4; at += 1) head[6 + at] = (size >> (7 * (3 - at))) & 0x7f;
  const tag = Buffer.alloc(size);
  tag.write('PRIV', 'latin1');
  tag.writeUInt32BE(size - 10, 4);
  tag.fill(0x55, 10);
  return (bytes) => Buffer.concat([head, tag, bytes]);
}

function withApeTag(bytes: Buffer): Buffer {
  const item = Buffer.from('\x04\0\0\0\0\0\0\0Title\0memo', 'latin1');
  const foot = Buffer.alloc(32);
  foot.write('APETAGEX', 'latin1');
  foot.writeUInt32LE(2_000, 8);
  foot.writeUInt32LE(item.length + 32, 12);
  foot.writeUInt32LE(1, 16);
  return Buffer.concat([bytes, item, foot]);
}

function zerosFirst(count: number): (bytes: Buffer) => Buffer {
  return (bytes) => Buffer.concat([Buffer.alloc(count), bytes]);
}

function dropFirst(share: number): (bytes: Buffer) => Buffer {
  return (bytes) => bytes.subarray(Math.floor(bytes.length * share) + 1);
}

/** Overwrites 300 bytes about 3 s after the beginning, which is a pause. */
function scratched(bytes: Buffer): Buffer {
  const at = Math.floor((bytes.length * 3) / 9.5);
  return bytes.fill(0x55, at, at + 300);
}

/** Leaves out 100 packets of 188 bytes. */
function withoutPart(bytes: Buffer): Buffer {
  const at = Math.floor((bytes.length * 2.6) / 9.5 / 188) * 188;
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 20 * 188)]);
}

async function segments(kit: Kit, path: string): Promise<void> {
  const whole = await readFile(await onTheWay(kit, 'whole.aac', encode('-c:a aac')));
  const cuts = [0];
  for (
    let at = 0;
    at < whole.length;
    at += ((whole[at + 3]! & 3) << 11) | (whole[at + 4]! << 3) | (whole[at + 5]! >> 5)
  ) {
    if (at - cuts.at(-1)! > whole.length / 4) cuts.push(at);
  }
  const parts = cuts.map((at, index) => behindTag(63)(whole.subarray(at, cuts[index + 1])));
  await writeFile(path, Buffer.concat(parts));
}

async function twoStreams(kit: Kit, path: string): Promise<void> {
  const one = await readFile(await onTheWay(kit, 'one.ts', encode('-c:a aac')));
  await writeFile(path, Buffer.concat([one, one]));
}

async function pausedStream(kit: Kit, path: string): Promise<void> {
  await ffmpeg('-i', await onTheWay(kit, 'paused.mka', paused('mka', '-c:a aac')), '-c', 'copy', path);
}
