import { readFile, writeFile } from 'node:fs/promises';
import {
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
  type AVSampleFormat,
} from 'node-av/constants';
import { mp3Frame } from '@jyutsing/audio/frame-headers';
import type { AudioContainer } from '@jyutsing/contracts/audio';
import { encodeSync, encoding, wavBytes, writeSound, type Sound } from '#testbed/sound/audio.ts';
import { riffChunk } from '#testbed/sound/wav-variants.ts';

const S16 = AV_SAMPLE_FMT_S16;
const S16P = AV_SAMPLE_FMT_S16P;
const FLT = AV_SAMPLE_FMT_FLT;
const FLTP = AV_SAMPLE_FMT_FLTP;
const BYTES_OF_WAV_HEADER = 44;

/** A format besides `FIXTURE_FORMATS`: a container that few people use, or an old codec. */
export type RareFormat = {
  name: string;
  container: AudioContainer;
  /** The codec as a probe names it. */
  codec: string;
  /** Writes mono sound, by default of 48 kHz. */
  write(path: string, sound: Sound): Promise<void> | void;
  sampleRateHz?: number;
};

type Encoded = [
  muxer: string,
  container: AudioContainer,
  encoder: string,
  format: AVSampleFormat,
  changes?: Partial<RareFormat>,
];

const ENCODED: readonly Encoded[] = [
  ['w64', 'w64', 'pcm_s16le', S16],
  ['wav', 'wav', 'pcm_mulaw', S16],
  ['wav', 'wav', 'adpcm_ms', S16],
  ['wav', 'wav', 'adpcm_ima_wav', S16P],
  ['wav', 'wav', 'libmp3lame', FLTP, { codec: 'mp3' }],
  ['wav', 'wav', 'mp2', S16],
  ['au', 'au', 'pcm_s16be', S16],
  ['au', 'au', 'pcm_alaw', S16],
  ['ircam', 'ircam', 'pcm_s16le', S16],
  ['voc', 'voc', 'pcm_s16le', S16],
  ['mp2', 'mp2', 'mp2', S16],
  ['ac3', 'ac3', 'ac3', FLTP],
  ['eac3', 'ac3', 'eac3', FLTP],
  ['latm', 'latm', 'aac', FLTP, { codec: 'aac_latm' }],
  ['wv', 'wv', 'wavpack', S16P],
  ['tta', 'tta', 'tta', S16],
  ['aiff', 'aiff', 'adpcm_ima_qt', S16P],
  ['aiff', 'aiff', 'pcm_alaw', S16],
  ['caf', 'caf', 'adpcm_ima_qt', S16P],
  ['caf', 'caf', 'alac', S16P],
  ['asf', 'wma', 'libmp3lame', FLTP, { codec: 'mp3' }],
  ['nut', 'nut', 'pcm_s16le', S16],
  ['nut', 'nut', 'libvorbis', FLTP, { codec: 'vorbis' }],
  ['rm', 'rm', 'ac3', FLTP],
  ['ogg', 'ogg', 'flac', S16],
  ['mov', 'm4a', 'adpcm_ima_qt', S16P],
  ['mov', 'm4a', 'pcm_mulaw', S16],
  ['mov', 'm4a', 'eac3', FLTP],
  ['mp4', 'm4a', 'libmp3lame', FLTP, { codec: 'mp3' }],
  ['matroska', 'webm', 'pcm_f32le', FLT],
  ['matroska', 'webm', 'wavpack', S16P],
  ['matroska', 'webm', 'tta', S16],
  ['matroska', 'webm', 'ac3', FLTP],
  ['avi', 'avi', 'pcm_s16le', S16],
  ['avi', 'avi', 'adpcm_ms', S16],
  ['avi', 'avi', 'libmp3lame', FLTP, { codec: 'mp3' }],
  ['avi', 'avi', 'ac3', FLTP],
  ['flv', 'flv', 'aac', FLTP],
  ['flv', 'flv', 'nellymoser', FLT, { sampleRateHz: 22_050 }],
  ['flv', 'flv', 'adpcm_swf', S16, { sampleRateHz: 22_050 }],
  ['mpegts', 'ts', 'aac', FLTP],
  // FFmpeg calls all layers of MPEG-1 in a transport stream MP3.
  ['mpegts', 'ts', 'mp2', S16, { codec: 'mp3' }],
  ['mpegts', 'ts', 'ac3', FLTP],
  ['mpegts', 'ts', 'libopus', S16, { codec: 'opus' }],
  ['mpeg', 'mpg', 'mp2', S16],
  ['vob', 'mpg', 'ac3', FLTP],
  ['mxf_opatom', 'mxf', 'pcm_s16le', S16],
];

/** The formats, but for those that no encoder of the library can write. */
export const RARE_FORMATS: readonly RareFormat[] = [
  ...ENCODED.map(([muxer, container, encoder, format, changes]): RareFormat => ({
    name: `${muxer} with ${encoder}`,
    container,
    codec: encoder,
    write: (path, sound) => encodeSync(path, sound, encoding(muxer, encoder, format)),
    ...changes,
  })),
  {
    name: 'MP3 in the free format',
    container: 'mp3',
    codec: 'mp3',
    write: (path, sound) => rewriteMp3(path, sound, withoutBitRate),
  },
  {
    name: 'MP3 behind zeros',
    container: 'mp3',
    codec: 'mp3',
    write: (path, sound) => rewriteMp3(path, sound, (bytes) => Buffer.concat([Buffer.alloc(100_000), bytes])),
  },
  { name: 'G.721 of libsndfile', container: 'wav', codec: 'adpcm_g726', write: writeG721, sampleRateHz: 8_000 },
  { name: 'SPHERE', container: 'sph', codec: 'pcm_s16le', write: (path, sound) => writeFile(path, sphereBytes(sound)) },
  {
    name: '8SVX',
    container: '8svx',
    codec: 'pcm_s8_planar',
    write: (path, sound) => writeFile(path, svxBytes(sound)),
    sampleRateHz: 16_000,
  },
  { name: 'DSF', container: 'dsf', codec: 'dsd_lsbf_planar', write: (path, sound) => writeFile(path, dsfBytes(sound)) },
  { name: 'DSDIFF', container: 'dff', codec: 'dsd_msbf', write: (path, sound) => writeFile(path, dffBytes(sound)) },
];

/** Writes four bits for each sample, of which the first are the low ones of a byte. */
async function writeG721(path: string, sound: Sound): Promise<void> {
  encodeSync(path, sound, { ...encoding('au', 'g726le', S16), codecOptions: { b: '32000' } });
  const au = await readFile(path);
  const format = Buffer.from('40000100401f0000a00f000001000400', 'hex');
  const chunks = [riffChunk('fmt ', format), riffChunk('data', au.subarray(au.readUInt32BE(4)))];
  await writeFile(path, riffChunk('RIFF', Buffer.concat([Buffer.from('WAVE'), ...chunks])));
}

/** Writes MP3 and changes its bytes, without the tag before its frames. */
async function rewriteMp3(path: string, sound: Sound, change: (bytes: Buffer) => Buffer): Promise<void> {
  await writeSound(path, sound, 'mp3');
  const bytes = await readFile(path);
  await writeFile(path, change(bytes.subarray(10 + bytes.readUInt32BE(6))));
}

/** Takes the bit rate out of every header, by default of MP3: the frames have the free format. */
export function withoutBitRate(bytes: Buffer, readFrame = mp3Frame): Buffer {
  const free = Buffer.from(bytes);
  for (let at = 0, frame = readFrame(bytes, at); frame !== null; frame = readFrame(bytes, at)) {
    free[at + 2] = (free[at + 2] ?? 0) & 0x0f;
    at += frame.sizeBytes;
  }
  return free;
}

/** Writes NIST SPHERE, the format of speech corpora: a text of 1,024 bytes, then samples. */
function sphereBytes(sound: Sound): Buffer {
  const samples = wavBytes(sound).subarray(BYTES_OF_WAV_HEADER);
  const header = `NIST_1A
   1024
channel_count -i 1
sample_count -i ${samples.length / 2}
sample_rate -i ${sound.sampleRateHz}
sample_n_bytes -i 2
sample_byte_format -s2 01
sample_coding -s3 pcm
end_head
`;
  return Buffer.concat([Buffer.from(header.padEnd(1_024, ' ')), samples]);
}

function iffChunk(id: string, body: Buffer, sizeBytes = 4): Buffer {
  const header = Buffer.alloc(4 + sizeBytes);
  header.write(id, 'latin1');
  header.writeUInt32BE(body.length, sizeBytes);
  return Buffer.concat([header, body, Buffer.alloc(body.length % 2)]);
}

/** Writes the format of the Amiga, with samples of eight bits (EA IFF 85, 8SVX). */
function svxBytes({ sampleRateHz, channels: [samples = new Float32Array(0)] }: Sound): Buffer {
  const header = Buffer.alloc(20);
  header.writeUInt32BE(samples.length, 0);
  header.writeUInt16BE(sampleRateHz, 12);
  header.writeUInt8(1, 14);
  header.writeUInt32BE(0x1_00_00, 16);
  const body = Buffer.from(Int8Array.from(samples, (sample) => Math.round(sample * 127)).buffer);
  return iffChunk('FORM', Buffer.concat([Buffer.from('8SVX'), iffChunk('VHDR', header), iffChunk('BODY', body)]));
}

const DSD_RATE_HZ = 64 * 44_100;
const DSF_BLOCK_BYTES = 4_096;

/** Returns sound as bits at 2.8 MHz (a modulator of the second order), eight in a byte. */
function dsdBytes({ sampleRateHz, channels: [samples = new Float32Array(0)] }: Sound, isLowestFirst: boolean): Buffer {
  const bytes = Buffer.alloc(Math.floor((samples.length * DSD_RATE_HZ) / sampleRateHz / 8));
  let first = 0;
  let second = 0;
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const sample = samples[Math.floor((bit * sampleRateHz) / DSD_RATE_HZ)] ?? 0;
    const output = second >= 0 ? 1 : -1;
    first += sample / 2 - output;
    second += first - output;
    const place = isLowestFirst ? bit % 8 : 7 - (bit % 8);
    if (output > 0) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << place);
  }
  return bytes;
}

/** Writes Sony's DSF, version 1.01 of its specification. */
function dsfBytes(sound: Sound): Buffer {
  const bits = dsdBytes(sound, true);
  const data = Buffer.concat([
    bits,
    Buffer.alloc((DSF_BLOCK_BYTES - (bits.length % DSF_BLOCK_BYTES)) % DSF_BLOCK_BYTES),
  ]);
  const header = Buffer.alloc(92);
  header.write('DSD ', 0);
  header.writeBigUInt64LE(28n, 4);
  header.writeBigUInt64LE(BigInt(header.length + data.length), 12);
  header.write('fmt ', 28);
  header.writeBigUInt64LE(52n, 32);
  for (const [at, value] of [
    [40, 1],
    [48, 1],
    [52, 1],
    [56, DSD_RATE_HZ],
    [60, 1],
    [72, DSF_BLOCK_BYTES],
  ] as const) {
    header.writeUInt32LE(value, at);
  }
  header.writeBigUInt64LE(BigInt(bits.length * 8), 64);
  header.write('data', 80);
  header.writeBigUInt64LE(BigInt(12 + data.length), 84);
  return Buffer.concat([header, data]);
}

function dffChunk(id: string, ...parts: Buffer[]): Buffer {
  return iffChunk(id, Buffer.concat(parts), 8);
}

/** Writes Philips' DSDIFF, version 1.5 of its specification. */
function dffBytes(sound: Sound): Buffer {
  const rate = Buffer.alloc(4);
  rate.writeUInt32BE(DSD_RATE_HZ);
  return dffChunk(
    'FRM8',
    Buffer.from('DSD '),
    dffChunk('FVER', Buffer.from([1, 5, 0, 0])),
    dffChunk(
      'PROP',
      Buffer.from('SND '),
      dffChunk('FS  ', rate),
      dffChunk('CHNL', Buffer.from('\0\x01SLFT')),
      dffChunk('CMPR', Buffer.from('DSD \x0enot compressed\0')),
    ),
    dffChunk('DSD ', dsdBytes(sound, false)),
  );
}
