import { readFile, writeFile } from 'node:fs/promises';
import { riffChunk, wavVariant } from '#testbed/sound/wav-variants.ts';
import { changePages } from '../ogg-pages.ts';
import { ffmpeg } from '../programs.ts';
import {
  CUT,
  cutAt,
  DURATION_MS,
  encode,
  film,
  later,
  LATE,
  onTheWay,
  originalSound,
  patched,
  paused,
  PAUSED,
  words,
  type Row,
  type Whole,
} from '../row.ts';

/** The faults of other rows in further containers and codecs, one line for each. */
type Line = readonly [ending: string, args: string, expected?: Whole];

const WRONG = { reference: { wrong: 'FFmpeg reads it in another way' } } as const;
const TWICE: Whole = {
  heard: [...later(0), ...later(DURATION_MS)],
  durationMs: 2 * DURATION_MS,
  chargedMs: 2 * DURATION_MS,
  toleranceMs: 50,
  ...WRONG,
};
const WMA: Whole = { toleranceMs: 50 };
const FRAGMENTED = '-movflags frag_keyframe+empty_moov+default_base_moof -frag_duration 1000000';
const AN_HOUR_LATER = '-output_ts_offset 3600';

const LATE_LINES: readonly Line[] = [
  ['vob', '-c:v mpeg2video -c:a mp2 -f vob', WRONG],
  ['flv', '-c:v flv -c:a aac'],
  ['flv', '-c:v flv -c:a libmp3lame -ar 44100'],
  ['nut', '-c:v mpeg4 -c:a libvorbis'],
  ['mkv', '-c:v mpeg4 -c:a flac'],
  ['ogv', '-c:v libtheora -c:a libopus'],
  ['ogv', '-c:v libtheora -c:a libspeex -ar 16000'],
  ['ts', '-c:v mpeg2video -c:a ac3', WRONG],
  ['mp4', '-c:v mpeg4 -c:a libopus -strict -2'],
  ['mp4', '-c:v mpeg4 -c:a libmp3lame'],
  ['wmv', '-c:v wmv2 -c:a wmav2 -f asf', WMA],
];

const PAUSED_LINES: readonly Line[] = [
  ['mkv', '-c:a flac'],
  ['mkv', '-c:a libmp3lame'],
  ['mkv', '-c:a ac3'],
  ['mkv', '-c:a alac'],
  ['nut', '-c:a libvorbis'],
  ['wma', '-c:a wmav2', WMA],
  ['m4a', '-c:a alac'],
  ['mp4', '-c:a flac -strict -2'],
  ['mp4', '-c:a ac3'],
  ['spx', '-c:a libspeex -ar 16000 -page_duration 20000'],
];

/** The second step of a pause, in containers whose encoder needs the first in Matroska. */
const REMUXED_LINES: readonly Line[] = [
  ['flv', '-c:a aac'],
  ['vob', '-c:a mp2'],
  ['ts', '-c:a mp2'],
  ['ts', '-c:a libopus'],
];

const WHOLE_LINES: readonly Line[] = [
  ['mkv', `-c:a aac ${AN_HOUR_LATER}`],
  ['webm', `-c:a libopus -f webm -live 1 ${AN_HOUR_LATER}`],
  ['flv', `-c:a aac ${AN_HOUR_LATER}`],
  ['ts', `-c:a mp2 ${AN_HOUR_LATER}`],
  ['mp4', `-c:a aac ${FRAGMENTED} ${AN_HOUR_LATER}`],
  ['spx', '-c:a libspeex -ar 8000 -vad 1 -dtx 1'],
  ['spx', '-c:a libspeex -ar 16000 -vad 1 -dtx 1'],
  ['flv', '-c:a libspeex -ar 16000 -vad 1 -dtx 1'],
  ['wav', '-c:a g723_1 -ar 8000 -b:a 6300'],
];

/** Cut off at two thirds. */
const CUT_LINES: readonly Line[] = [
  ['mp2', '-c:a mp2'],
  ['aac', '-c:a aac'],
  ['ac3', '-c:a ac3'],
  ['eac3', '-c:a eac3'],
  ['latm', '-c:a aac -f latm'],
  ['spx', '-c:a libspeex -ar 16000'],
  ['flv', '-c:a aac'],
  ['mka', '-c:a flac'],
  ['mka', '-c:a wavpack'],
  ['webm', '-c:a libvorbis'],
  ['voc', '-c:a pcm_u8 -ar 8000'],
  ['wav', '-c:a adpcm_ms -ar 22050'],
  ['wav', '-c:a libmp3lame -ar 44100'],
  ['mov', '-c:a pcm_s16le -movflags faststart'],
  ['3gp', '-c:a aac -movflags faststart'],
  ['mp4', '-c:a libopus -strict -2 -movflags faststart'],
  ['mp4', '-c:a flac -strict -2 -movflags faststart'],
  ['rm', '-c:a ac3'],
];

/** Zeros from two thirds on, as on a disk of which the rest was reserved and not written. */
const UNFILLED_LINES: readonly Line[] = [
  ['mp3', '-c:a libmp3lame -b:a 64k'],
  ['mp2', '-c:a mp2'],
  ['ac3', '-c:a ac3'],
  ['ts', '-c:a mp2'],
  ['ogg', '-c:a libvorbis'],
  ['flac', '-c:a flac'],
  ['flv', '-c:a aac'],
  ['wv', '-c:a wavpack'],
  ['wma', '-c:a wmav2', WMA],
];

/** 300 bytes are overwritten in the second sentence: what is behind them stays in its place. */
const DAMAGED_LINES: readonly Line[] = [
  ['mp2', '-c:a mp2'],
  ['ts', '-c:a mp2'],
  ['wv', '-c:a wavpack'],
  ['tta', '-c:a tta'],
  ['m4a', '-c:a aac'],
  ['m4a', '-c:a alac'],
  ['mkv', '-c:a flac'],
  ['dts', '-c:a dca -strict -2'],
  ['flac', '-c:a flac'],
];

/** The same file twice, one behind the other. */
const TWICE_LINES: readonly Line[] = [
  ['webm', '-c:a libopus -f webm -live 1'],
  ['webm', '-c:a libopus'],
  ['mkv', '-c:a aac'],
  ['flac', '-c:a flac'],
  ['ac3', '-c:a ac3'],
  ['mp2', '-c:a mp2'],
];

const TAG = Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\x01\0', 'latin1'), Buffer.alloc(128)]);
const ZEROS = Buffer.alloc(1_000);
/** Bytes that programs write before the file. */
const BEHIND: readonly [ending: string, args: string, before: Buffer, what: string][] = [
  ['flac', '-c:a flac', ZEROS, 'zeros'],
  ['aac', '-c:a aac', ZEROS, 'zeros'],
  ['ac3', '-c:a ac3', ZEROS, 'zeros'],
  ['ogg', '-c:a libvorbis', ZEROS, 'zeros'],
  ['ogg', '-c:a libvorbis', TAG, 'a tag'],
  ['wv', '-c:a wavpack', TAG, 'a tag'],
  ['tta', '-c:a tta', TAG, 'a tag'],
  ['m4a', '-c:a aac', TAG, 'a tag'],
  ['wav', '-c:a pcm_s16le', TAG, 'a tag'],
  ['mp3', '-c:a libmp3lame', Buffer.from('HTTP/1.0 200 OK\r\n\r\n'), 'the answer of a server'],
];

/** Rows whose header the program did not come to complete. */
const UNFINISHED: readonly [ending: string, what: string, make: Row['make']][] = [
  ['wav', 'RF64 whose sizes are 0', patched(encode('-c:a pcm_s24le -rf64 always'), withoutSizes('ds64', 24))],
  ['w64', 'of size 0', patched(encode('-c:a pcm_s16le -f w64'), withoutSizes('data', 24, 16))],
  ['aiff', 'without its number of samples', patched(encode('-c:a pcm_s16be'), withoutSizes('COMM', 4, 10))],
  ['avi', 'without an index', patched(film('-c:v mjpeg -c:a pcm_s16le'), withoutIndex)],
];

const SILENT_TRACKS = '[0:a]asplit=4[a][b][c][d];[b]volume=0[x];[c]volume=0[y];[d]volume=0[z]';
const SILENT_STEREO = `anullsrc=r=48000:cl=stereo,atrim=duration=${DURATION_MS / 1_000}[x]`;

/** Microphones on channels and tracks beside one another, of which the mean has nothing. */
const ARRANGED: readonly [ending: string, what: string, filter: string, args?: string][] = [
  ['wav', 'four channels, the second opposite to the first', '[0:a]pan=4c|c0=c0|c1=-1*c0'],
  ['wav', 'four channels, the last opposite to the third', '[0:a]pan=quad|c2=c0|c3=-1*c0'],
  ['wav', '2.1 sound, right opposite to left', '[0:a]pan=2.1|FL=c0|FR=-1*c0'],
  ['wav', '5.1 sound, right opposite to left', '[0:a]pan=5.1|FL=c0|FR=-1*c0'],
  ['wav', '8 channels, the second opposite to the first', '[0:a]pan=octagonal|c0=c0|c1=-1*c0'],
  [
    'wav',
    'opposite, and 0.1 ms later',
    '[0:a]asplit[a][b];[b]volume=-0.9,adelay=delays=5S[c];[a][c]join=inputs=2:channel_layout=stereo',
  ],
  ['wav', 'offsets of opposite signs', '[0:a]aeval=0.03*val(0)+0.02|0.03*val(0)-0.02:c=stereo'],
  ['mkv', 'two tracks, opposite', '[0:a]asplit[a][b];[b]volume=-1[c]', '-map [a] -map [c] -c:a aac'],
  ['mov', 'two tracks, opposite', '[0:a]asplit[a][b];[b]volume=-1[c]', '-map [a] -map [c] -c:a pcm_s24le'],
  ['mov', 'four tracks, three silent', SILENT_TRACKS, '-map [x] -map [a] -map [y] -map [z] -c:a pcm_s16le'],
  ['mkv', 'a silent stereo track first', SILENT_STEREO, '-map [x] -map 0:a -c:a aac'],
];

export const FAULT_ROWS: readonly Row[] = [
  ...LATE_LINES.map((line) =>
    row('sound 3 s later than the picture', line, film(line[1], '-itsoffset 3'), { ...LATE, ...line[2] }),
  ),
  ...PAUSED_LINES.map((line) =>
    row('a pause of the recorder', line, paused(line[0], line[1], muxingOf(line)), { ...PAUSED, ...line[2] }),
  ),
  ...REMUXED_LINES.map((line) => row('a pause of the recorder', line, remuxed(line), PAUSED)),
  ...WHOLE_LINES.map((line) => row('whole', line, encode(line[1]))),
  ...CUT_LINES.map((line) =>
    row('cut off', line, patched(encode(line[1]), cutAt(0.7)), { ...CUT, ...line[2], ...WRONG }),
  ),
  ...UNFILLED_LINES.map((line) =>
    row('zeros instead of the end', line, patched(encode(line[1]), unfilled), { ...CUT, ...line[2], ...WRONG }),
  ),
  ...DAMAGED_LINES.map((line) =>
    row('damaged', line, patched(encode(line[1]), damaged), { toleranceMs: 25, durationMs: null, ...WRONG }),
  ),
  ...TWICE_LINES.map((line) => row('twice', line, joined(line), TWICE)),
  ...BEHIND.map(([ending, args, before, what]) =>
    row(
      `behind ${what}`,
      [ending, args],
      patched(encode(args), (bytes) => Buffer.concat([before, bytes])),
      WRONG,
    ),
  ),
  ...UNFINISHED.map(([ending, what, make]) => row(what, [ending, ''], make, WRONG)),
  ...ARRANGED.map(([ending, what, filter, args = '-c:a pcm_s16le']) =>
    row(what, [ending, ''], arranged(filter, args), { ...WRONG, toleranceMs: 25 }),
  ),
  row('a format of 18 bytes', ['wav', ''], withFormat(18)),
  row('a tag before the format', ['wav', ''], variant({ before: riffChunk('id3 ', TAG) })),
  row('20 of 24 bits', ['aiff', ''], patched(encode('-c:a pcm_s24be'), withBits(20))),
  row('12 of 16 bits', ['aiff', ''], patched(encode('-c:a pcm_s16be'), withBits(12))),
  row('in fragments, joined in the middle', ['mp4', ''], fragmentsFrom(3), {
    heard: later(-3_000).slice(1),
    durationMs: 6_500,
    chargedMs: 6_500,
    ...WRONG,
  }),
  row('first granule at 10 minutes', ['spx', ''], patched(encode('-c:a libspeex -ar 16000'), laterGranules), WRONG),
];

function row(what: string, [ending, args]: Line, make: Row['make'], expected: Whole = {}): Row {
  return { kind: 'faults', what: `${ending} ${args}: ${what}`, ending, make, expected };
}

/** The encoder needs these to be told twice. */
function muxingOf([, args]: Line): string {
  return [/-strict -2/, /-page_duration \d+/].map((pattern) => pattern.exec(args)?.[0] ?? '').join(' ');
}

function remuxed([ending, args]: Line): Row['make'] {
  return async (kit, path) => {
    const whole = await onTheWay(kit, 'remuxed.mka', paused('mka', args));
    await ffmpeg('-i', whole, '-c', 'copy', '-f', ending === 'ts' ? 'mpegts' : ending, path);
  };
}

function unfilled(bytes: Buffer): Buffer {
  return bytes.fill(0, Math.floor(bytes.length * 0.67));
}

function damaged(bytes: Buffer): Buffer {
  const at = Math.floor(bytes.length * 0.52);
  return bytes.fill(0x55, at, at + 300);
}

function joined([ending, args]: Line): Row['make'] {
  return async (kit, path) => {
    const one = await readFile(await onTheWay(kit, `one.${ending}`, encode(args)));
    await writeFile(path, Buffer.concat([one, one]));
  };
}

function arranged(filter: string, args: string): Row['make'] {
  return ({ master }, path) => ffmpeg('-i', master, '-filter_complex', filter, ...words(args), path);
}

/** Overwrites bytes behind the name of a chunk with zeros. */
function withoutSizes(name: string, count: number, behind = 8): (bytes: Buffer) => Buffer {
  return (bytes) => {
    const at = bytes.indexOf(name) + behind;
    return bytes.fill(0, at, at + (behind === 16 ? 8 : count));
  };
}

function withoutIndex(bytes: Buffer): Buffer {
  bytes.writeUInt32LE(0, 4);
  return bytes.subarray(0, bytes.indexOf('idx1'));
}

function variant(options: Parameters<typeof wavVariant>[1]): Row['make'] {
  return async (_, path) => writeFile(path, wavVariant(await originalSound(24_000), options));
}

/** WAVEFORMATEX with the size of what follows, which is nothing. */
function withFormat(size: number): Row['make'] {
  return patched(variant({}), (bytes) => {
    const longer = Buffer.concat([bytes.subarray(0, 36), Buffer.alloc(size - 16), bytes.subarray(36)]);
    longer.writeUInt32LE(size, 16);
    longer.writeUInt32LE(longer.length - 8, 4);
    return longer;
  });
}

/** Writes the number of used bits to the description of AIFF. */
function withBits(bits: number): (bytes: Buffer) => Buffer {
  return (bytes) => {
    bytes.writeUInt16BE(bits, bytes.indexOf('COMM') + 14);
    return bytes;
  };
}

/** Keeps the head, and the fragments from a number on. */
function fragmentsFrom(first: number): Row['make'] {
  return patched(encode(`-c:a aac ${FRAGMENTED}`), (bytes) => {
    const parts: Buffer[] = [];
    let fragment = -1;
    for (let at = 0; at + 8 <= bytes.length; at += bytes.readUInt32BE(at)) {
      const name = bytes.toString('latin1', at + 4, at + 8);
      if (name === 'moof') fragment += 1;
      if (fragment < 0 || fragment >= first) parts.push(bytes.subarray(at, at + bytes.readUInt32BE(at)));
    }
    return Buffer.concat(parts);
  });
}

function laterGranules(bytes: Buffer): Buffer {
  return changePages(bytes, (page) => {
    if (page.granule > 0n) page.granule += BigInt(16_000 * 600);
    return true;
  });
}
