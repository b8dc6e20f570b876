import { writeFile } from 'node:fs/promises';
import { riffChunk, wavVariant } from '#testbed/sound/wav-variants.ts';
import { run } from '../programs.ts';
import { CUT, cutAt, encode, originalSound, patched, type Row, type Whole } from '../row.ts';

const WRONG_SIZE = { wrong: 'FFmpeg sizes samples by the valid bits' };

/** Every way of writing samples that a recorder, a telephone exchange or an editor has. */
const ENCODINGS: readonly [what: string, args: string, expected?: Whole][] = [
  ['unsigned 8 bits', '-c:a pcm_u8'],
  ['16 bits at 8 kHz', '-c:a pcm_s16le -ar 8000'],
  ['16 bits at 11.025 kHz', '-c:a pcm_s16le -ar 11025'],
  ['24 bits at 96 kHz', '-c:a pcm_s24le -ar 96000'],
  ['32 bits at 192 kHz', '-c:a pcm_s32le -ar 192000'],
  ['float', '-c:a pcm_f32le'],
  ['64-bit float', '-c:a pcm_f64le'],
  ['µ-law of a telephone exchange', '-c:a pcm_mulaw -ar 8000', { isTranscribed: true }],
  ['A-law of a telephone exchange', '-c:a pcm_alaw -ar 8000'],
  ['GSM of a voice mailbox', '-c:a libgsm_ms -ar 8000'],
  ['Microsoft ADPCM of a dictaphone', '-c:a adpcm_ms -ar 22050'],
  ['IMA ADPCM of a dictaphone', '-c:a adpcm_ima_wav -ar 16000'],
  ['Yamaha ADPCM', '-c:a adpcm_yamaha'],
  ['G.726', '-c:a g726 -ar 8000'],
  ['MP3', '-c:a libmp3lame -ar 44100'],
  ['RF64 of a field recorder', '-c:a pcm_s24le -rf64 always', { isTranscribed: true }],
  [
    'broadcast wave with bext',
    '-c:a pcm_s24le -write_bext 1 -metadata time_reference=48000 -metadata description=scene',
  ],
  ['8 channels', '-c:a pcm_s16le -ac 8'],
  ['5.1 sound', '-c:a pcm_s24le -ac 6'],
];

/** WAVE_FORMAT_EXTENSIBLE whose samples have a larger container. */
const CONTAINERS: readonly [validBits: number, bits: number, what?: string, options?: object][] = [
  [24, 32],
  [20, 32],
  [18, 32],
  [16, 32],
  [20, 24],
  [16, 24],
  [12, 16],
  [32, 32],
  [24, 24],
  [24, 32, ', size 0', { statedBytes: 0 }],
  [24, 32, ', size 0xFFFFFFFF', { statedBytes: 0xffff_ffff }],
  [16, 24, ', size 0xFFFFFFFF', { statedBytes: 0xffff_ffff }],
  [0, 24, ' (left out)'],
];

const LIST = riffChunk('LIST', Buffer.from('INFOINAM\x07\0\0\0memo 1\0\0', 'latin1'));

/** Headers that are right although they are not the plain ones. */
const HEADERS: readonly [what: string, options: Parameters<typeof wavVariant>[1], expected?: Whole][] = [
  ['size 0, from a recorder that lost power', { statedBytes: 0 }],
  ['size 0xFFFFFFFF, from a pipe', { statedBytes: 0xffff_ffff }],
  ['size 0x7FFFFFFF, from a pipe', { statedBytes: 0x7fff_ffff }],
  ['JUNK before the format', { before: riffChunk('JUNK', Buffer.alloc(28)) }],
  ['a chunk of odd size before the sound', { between: riffChunk('note', Buffer.from('odd')) }],
  ['LIST before the sound', { between: LIST }],
  ['LIST behind the sound', { behind: LIST }],
  ['a cue chunk of 100 KB behind the sound', { behind: riffChunk('cue ', Buffer.alloc(100_000, 7)) }],
  ['8 bits with an odd number of bytes', { bits: 8 }],
  ['RIFX, 16 bits', { isBigEndian: true }, { isTranscribed: true }],
  ['RIFX, 24 bits', { isBigEndian: true, bits: 24 }],
  ['RIFX, float', { isBigEndian: true, bits: 32, isFloat: true }],
  ['RIFX, 24 bits in 32', { isBigEndian: true, bits: 32, validBits: 24 }],
  ['extensible float', { bits: 32, validBits: 32, isFloat: true }],
];

export const WAV_ROWS: readonly Row[] = [
  ...ENCODINGS.map(([what, args, expected = {}]) => row(what, encode(args), expected)),
  ...CONTAINERS.map(([validBits, bits, suffix = '', options = {}], index) =>
    row(`${validBits} bits in ${bits}${suffix}`, variant({ bits, validBits, ...options }), {
      ...(validBits === bits || bits === 16 ? {} : { reference: WRONG_SIZE }),
      ...(index === 0 ? { isTranscribed: true } : {}),
    }),
  ),
  ...HEADERS.map(([what, options, expected = {}]) =>
    row(what, variant(options), { ...riffReference(what), ...expected }),
  ),
  row('a byte rate of 0', patched(variant({}), set(28, [0, 0, 0, 0]))),
  row('a block size of 0', patched(variant({}), set(32, [0, 0]))),
  row('cut off', patched(variant({}), cutAt(0.65)), CUT),
  row('cut off in the middle of a sample', patched(variant({ bits: 24 }), cutOdd), CUT),
  row('RF64, cut off', patched(encode('-rf64 always'), cutAt(0.65)), CUT),
  row(
    'only a header',
    patched(variant({}), (bytes) => bytes.subarray(0, 44)),
    {
      codes: ['empty_audio', 'corrupt_audio'],
      says: /no (sound|audio|speech)|empty|cut off/i,
    },
  ),
  row('bytes of another file behind the sound', patched(variant({}), append(Buffer.alloc(50_000, 0x55)))),
  {
    kind: 'wav',
    what: 'GSM, written by sox',
    ending: 'wav',
    make: ({ master }, path) => run('sox', [master, '-r', '8000', '-e', 'gsm-full-rate', path]),
    expected: {},
  },
];

function row(what: string, make: Row['make'], expected: Row['expected'] = {}): Row {
  return { kind: 'wav', what, ending: 'wav', make, expected };
}

function variant(options: Parameters<typeof wavVariant>[1]): Row['make'] {
  return async (_, path) => writeFile(path, wavVariant(await originalSound(24_000), options));
}

function riffReference(what: string): Whole {
  return what.startsWith('RIFX') ? { reference: what.includes('in 32') ? WRONG_SIZE : 'sox' } : {};
}

function set(at: number, values: readonly number[]): (bytes: Buffer) => Buffer {
  return (bytes) => {
    for (const [index, value] of values.entries()) bytes[at + index] = value;
    return bytes;
  };
}

function append(more: Buffer): (bytes: Buffer) => Buffer {
  return (bytes) => Buffer.concat([bytes, more]);
}

function cutOdd(bytes: Buffer): Buffer {
  const end = Math.floor(bytes.length * 0.65);
  return bytes.subarray(0, end - ((end - 44) % 3) + 1);
}
