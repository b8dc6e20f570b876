import { writeFile } from 'node:fs/promises';
import { changeBoxes } from '../mp4-boxes.ts';
import { ffmpeg } from '../programs.ts';
import {
  CUT,
  cutAt,
  DURATION_MS,
  encode,
  film,
  type Kit,
  later,
  LATE,
  onTheWay,
  patched,
  paused,
  PAUSED,
  type Row,
  type Whole,
} from '../row.ts';

/** Sound of MP4 files by what writes it. */
const CODECS: readonly [what: string, ending: string, args: string, expected?: Whole][] = [
  ['AAC with the index last', 'm4a', '-c:a aac', { isTranscribed: true }],
  ['AAC with the index first', 'm4a', '-c:a aac -movflags faststart'],
  ['AAC at 8 kHz', 'm4a', '-c:a aac -ar 8000'],
  ['AAC at 44.1 kHz, stereo', 'm4a', '-c:a aac -ar 44100 -ac 2'],
  ['AAC, 5.1 sound', 'mp4', '-c:a aac -ac 6'],
  ['AAC of an Android recorder (3gp)', '3gp', '-c:a aac -ar 16000 -f 3gp'],
  ['Apple Lossless, 16 bits', 'm4a', '-c:a alac'],
  ['Apple Lossless, 24 bits', 'm4a', '-c:a alac -sample_fmt s32p'],
  ['FLAC', 'mp4', '-c:a flac -strict -2'],
  ['Opus', 'mp4', '-c:a libopus -strict -2'],
  ['MP3', 'mp4', '-c:a libmp3lame'],
  ['AC-3', 'mp4', '-c:a ac3'],
  ['E-AC-3', 'mp4', '-c:a eac3'],
  ['PCM of an old camera (twos)', 'mov', '-c:a pcm_s16be'],
  ['PCM of a camera (sowt)', 'mov', '-c:a pcm_s16le'],
  ['PCM of 24 bits', 'mov', '-c:a pcm_s24le'],
  ['PCM of 32-bit float', 'mov', '-c:a pcm_f32be'],
  ['µ-law', 'mov', '-c:a pcm_mulaw -ar 8000'],
  ['A-law', 'mov', '-c:a pcm_alaw -ar 8000'],
  ['IMA ADPCM', 'mov', '-c:a adpcm_ima_qt', { orSays: /adpcm_ima_qt/ }],
];

const FRAGMENTED = '-movflags frag_keyframe+empty_moov+default_base_moof -frag_duration 1000000';
/** As `-movflags` of ffmpeg; the key is that of the tests of Common Encryption. */
const ENCRYPTED =
  '-c:a aac -encryption_scheme cenc-aes-ctr -encryption_key 76a6c65c5ea762046bd749a2e632ccbb -encryption_kid a7e61c373e219033c21091fa607bf3b8';

export const MP4_ROWS: readonly Row[] = [
  ...CODECS.map(([what, ending, args, expected]) => row(what, ending, encode(args), expected)),
  row('AAC in fragments', 'm4a', encode(`-c:a aac ${FRAGMENTED}`)),
  row('AAC in fragments with an index of segments (DASH)', 'm4a', encode('-c:a aac -movflags dash+frag_keyframe')),
  row('AAC in fragments without an edit list', 'mp4', encode(`-c:a aac ${FRAGMENTED} -use_editlist 0`)),
  row('Opus in fragments', 'mp4', encode(`-c:a libopus -strict -2 ${FRAGMENTED}`)),
  row(
    'Opus of MediaRecorder in Chromium',
    'mp4',
    patched(encode(`-c:a libopus -strict -2 ${FRAGMENTED} -use_editlist 0`), preSkip),
    {
      reference: {
        wrong: 'FFmpeg leaves out what the file says to skip, and MediaRecorder skips what was recorded',
      },
      isTranscribed: true,
    },
  ),
  row('sound 3 s later than the picture', 'mp4', film('-c:v mpeg4 -c:a aac', '-itsoffset 3'), {
    ...LATE,
    isTranscribed: true,
  }),
  row('sound 3 s later than the picture', 'mov', film('-c:v mpeg4 -c:a pcm_s16le', '-itsoffset 3'), LATE),
  row('sound 0.2 s later than the picture', 'mp4', film('-c:v mpeg4 -c:a aac', '-itsoffset 0.2'), {
    heard: later(200),
    durationMs: DURATION_MS + 200,
    chargedMs: DURATION_MS,
  }),
  row('sound 3 s later, in fragments', 'mp4', film(`-c:v mpeg4 -c:a aac ${FRAGMENTED}`, '-itsoffset 3'), LATE),
  row('an empty edit of 3 s', 'm4a', delayed, { ...LATE, reference: 'ffmpeg with its own start' }),
  row('an edit that leaves out the first 3 s', 'm4a', patched(encode('-c:a aac'), withEditedStart), {
    heard: later(-3_000).slice(1),
    durationMs: DURATION_MS - 3_000,
    chargedMs: DURATION_MS - 3_000,
  }),
  row('a pause of the recorder', 'm4a', paused('m4a', '-c:a aac'), PAUSED),
  row('a pause of the recorder', 'mov', paused('mov', '-c:a aac'), PAUSED),
  row('a pause of the recorder, in fragments', 'mp4', paused('mp4', '-c:a aac', FRAGMENTED), PAUSED),
  row('a pause of the recorder in Opus', 'mp4', paused('mp4', '-c:a libopus -strict -2', '-strict -2'), PAUSED),
  row('two sound tracks of a screen recorder', 'mp4', twoTracks),
  row('a picture of the cover', 'm4a', withCover),
  row('chapters of an audio book', 'm4b', withChapters),
  row('time codes of a camera', 'mov', film('-c:v mpeg4 -c:a pcm_s16le -timecode 10:00:00:00')),
  row('no picture before 2 s', 'mp4', lateFilm, { durationMs: DURATION_MS }),
  row('cut off, index first', 'm4a', patched(encode('-c:a aac -movflags faststart'), cutAt(0.7)), {
    ...CUT,
    isTranscribed: true,
  }),
  row('cut off, in fragments', 'mp4', patched(encode(`-c:a aac ${FRAGMENTED}`), cutAt(0.7)), CUT),
  row('cut off, Apple Lossless', 'm4a', patched(encode('-c:a alac -movflags faststart'), cutAt(0.7)), CUT),
  row('without an index', 'm4a', patched(encode('-c:a aac'), cutAt(0.7)), {
    codes: ['corrupt_audio'],
    says: /index|moov/i,
  }),
  row('encrypted', 'mp4', encode(ENCRYPTED), {
    codes: ['unsupported_audio_format'],
    says: /encrypt|protect|DRM/i,
  }),
  row(
    'zero bytes behind the end',
    'm4a',
    patched(encode('-c:a aac'), (bytes) => zeros(bytes, 3)),
  ),
  row(
    'a whole block of zero bytes behind the end',
    'm4a',
    patched(encode('-c:a aac'), (bytes) => zeros(bytes, 4_096)),
  ),
  row('without edit list', 'm4a', patched(encode('-c:a alac'), withoutEdits)),
  row('only a picture', 'mp4', pictureOnly, {
    codes: ['unsupported_audio_format'],
    says: /no sound/i,
  }),
];

function row(what: string, ending: string, make: Row['make'], expected: Row['expected'] = {}): Row {
  return { kind: 'mp4', what, ending, make, expected };
}

/** Chromium writes a pre-skip of 80 ms and records no sound for it. */
function preSkip(bytes: Buffer): Buffer {
  return changeBoxes(bytes, 'dOps', (content) => content.writeUInt16BE(3_840, 2));
}

/** Lets the edit list begin 3 s later in the track. */
function withEditedStart(bytes: Buffer): Buffer {
  return changeBoxes(bytes, 'elst', (content) => {
    content.writeUInt32BE(content.readUInt32BE(8) - 3_000, 8);
    content.writeUInt32BE(content.readUInt32BE(12) + 3 * 48_000, 12);
  });
}

/** Renames the edit list, so that sizes and offsets stay. */
function withoutEdits(bytes: Buffer): Buffer {
  bytes.write('free', bytes.indexOf('edts'), 'latin1');
  return bytes;
}

function zeros(bytes: Buffer, count: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(count)]);
}

function delayed({ master }: Kit, path: string): Promise<unknown> {
  return ffmpeg('-itsoffset', '3', '-i', master, '-c:a', 'aac', path);
}

function twoTracks({ master }: Kit, path: string): Promise<unknown> {
  const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=48000:cl=mono', '-t', '9.5'];
  return ffmpeg('-i', master, ...silence, '-map', '0:a', '-map', '1:a', '-c:a', 'aac', path);
}

function withCover({ master }: Kit, path: string): Promise<unknown> {
  const inputs = ['-f', 'lavfi', '-i', 'color=size=300x300:rate=10:duration=0.1', '-i', master];
  const picture = ['-map', '1:a', '-map', '0:v', '-c:v', 'mjpeg', '-disposition:v', 'attached_pic'];
  return ffmpeg(...inputs, ...picture, '-c:a', 'aac', path);
}

const CHAPTERS = `;FFMETADATA1
[CHAPTER]
TIMEBASE=1/1000
START=0
END=3000
title=one
[CHAPTER]
TIMEBASE=1/1000
START=3000
END=9500
title=two
`;

async function withChapters(kit: Kit, path: string): Promise<void> {
  const list = await onTheWay(kit, 'chapters.txt', (_, listPath) => writeFile(listPath, CHAPTERS));
  await ffmpeg('-i', kit.master, '-i', list, '-map_metadata', '1', '-c:a', 'aac', '-f', 'ipod', path);
}

function lateFilm({ master }: Kit, path: string): Promise<unknown> {
  const picture = ['-itsoffset', '2', '-f', 'lavfi', '-i', 'color=size=64x64:rate=10:duration=7'];
  return ffmpeg(...picture, '-i', master, '-map', '0:v', '-map', '1:a', '-c:v', 'mpeg4', '-c:a', 'aac', path);
}

function pictureOnly(_: Kit, path: string): Promise<unknown> {
  return ffmpeg('-f', 'lavfi', '-i', 'color=size=64x64:rate=10:duration=2', '-c:v', 'mpeg4', path);
}
