import { ffmpeg } from '../programs.ts';
import {
  CUT,
  cutAt,
  DURATION_MS,
  encode,
  film,
  LATE,
  patched,
  paused,
  PAUSED,
  SENTENCES,
  type Kit,
  type Row,
  type Whole,
} from '../row.ts';

const LIVE = '-c:a libopus -f webm -live 1 -cluster_time_limit 1000';

/** Beside another track, the beginning of the encoder stays where it is. */
const TRACKS: Whole = { toleranceMs: 25 };

export const MATROSKA_ROWS: readonly Row[] = [
  row('Opus', 'webm', encode('-c:a libopus')),
  row('Vorbis', 'webm', encode('-c:a libvorbis')),
  row('Opus of MediaRecorder, without sizes and duration', 'webm', encode(LIVE), {
    isTranscribed: true,
  }),
  row('AAC', 'mkv', encode('-c:a aac')),
  row('MP3', 'mkv', encode('-c:a libmp3lame')),
  row('FLAC', 'mka', encode('-c:a flac')),
  row('Apple Lossless', 'mkv', encode('-c:a alac')),
  row('AC-3, 5.1 sound', 'mkv', encode('-c:a ac3 -ac 6')),
  row('E-AC-3', 'mkv', encode('-c:a eac3')),
  row('PCM of 24 bits', 'mkv', encode('-c:a pcm_s24le')),
  row('PCM of float', 'mkv', encode('-c:a pcm_f32le')),
  row('WavPack', 'mka', encode('-c:a wavpack'), { orSays: /wavpack/i }),
  row('TTA', 'mka', encode('-c:a tta'), { orSays: /tta/i }),
  row('MP2', 'mkv', encode('-c:a mp2'), { orSays: /mp2/i }),
  row('A-law through the ACM of Windows', 'mkv', encode('-c:a pcm_alaw -ar 8000'), {
    orSays: /alaw/i,
  }),
  row('sound 3 s later than the picture', 'mkv', film('-c:v mpeg4 -c:a aac', '-itsoffset 3'), LATE),
  row('sound 3 s later than the picture', 'webm', film('-c:v libvpx -c:a libopus', '-itsoffset 3'), LATE),
  row('sound 3 s later, recorded live', 'webm', film('-c:v libvpx -c:a libopus -live 1', '-itsoffset 3'), LATE),
  row('a pause of the recorder', 'mkv', paused('mkv', '-c:a aac'), PAUSED),
  row('a pause of the recorder', 'webm', paused('webm', '-c:a libopus'), {
    ...PAUSED,
    isTranscribed: true,
  }),
  row('a pause of the recorder in Vorbis', 'webm', paused('webm', '-c:a libvorbis'), PAUSED),
  row('a pause of the recorder, recorded live', 'webm', paused('webm', '-c:a libopus', '-live 1'), PAUSED),
  row('a pause of the recorder in PCM', 'mkv', paused('mkv', '-c:a pcm_s16le'), PAUSED),
  row('lost packets in the pauses', 'webm', dropped('-c:a libopus', 'between(n\\,130\\,159)'), {
    chargedMs: DURATION_MS - 600,
  }),
  row('one lost packet of 20 ms in a pause', 'webm', dropped('-c:a libopus', 'eq(n\\,140)'), {
    reference: { wrong: 'FFmpeg fills gaps of 100 ms and more' },
  }),
  row('four lost packets of 20 ms in a pause', 'webm', dropped('-c:a libopus', 'between(n\\,140\\,143)'), {
    reference: { wrong: 'FFmpeg fills gaps of 100 ms and more' },
    chargedMs: DURATION_MS - 80,
  }),
  row('DTS first and AAC second', 'mka', tracks('-c:a:0 dca -strict -2 -c:a:1 aac'), {
    ...TRACKS,
    reference: { wrong: 'FFmpeg takes DTS' },
  }),
  row('only DTS', 'mka', encode('-c:a dca -strict -2'), { orSays: /dts/i }),
  row('two mono tracks, one person each, of OBS', 'mkv', people, {
    ...TRACKS,
    reference: { wrong: 'FFmpeg takes one track' },
    isTranscribed: true,
  }),
  row('four tracks of OBS, only the second with sound', 'mkv', fourTracks, {
    ...TRACKS,
    reference: { wrong: 'FFmpeg takes one track' },
  }),
  row('the second track is the default one', 'mkv', tracks('-c:a aac -disposition:a:0 0 -disposition:a:1 default')),
  row('cut off', 'webm', patched(encode('-c:a libopus'), cutAt(0.7)), {
    ...CUT,
    isTranscribed: true,
  }),
  row('cut off', 'mkv', patched(encode('-c:a pcm_s16le'), cutAt(0.7)), CUT),
  row('cut off, recorded live', 'webm', patched(encode(LIVE), cutAt(0.7)), CUT),
  row(
    'bytes of zero behind the end',
    'webm',
    patched(encode('-c:a libopus'), (bytes) => zeros(bytes)),
  ),
  row('a film with subtitles', 'mkv', withSubtitles),
];

function row(what: string, ending: string, make: Row['make'], expected: Row['expected'] = {}): Row {
  return { kind: 'matroska', what, ending, make, expected };
}

function zeros(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(1_000)]);
}

/** Leaves out the packets for which the expression of ffmpeg's filter "noise" is true. */
function dropped(encoding: string, when: string): Row['make'] {
  return ({ master }, path) => ffmpeg('-i', master, ...encoding.split(' '), '-bsf:a', `noise=drop=${when}`, path);
}

/** The same sound twice. */
function tracks(args: string): Row['make'] {
  return ({ master }, path) => ffmpeg('-i', master, '-map', '0:a', '-map', '0:a', ...args.split(' '), path);
}

/** The second sentence is on a track of its own. */
function people({ master }: Kit, path: string): Promise<unknown> {
  const [, second, third] = SENTENCES;
  const during = `between(t,${second.startMs / 1_000 - 0.1},${third.startMs / 1_000 - 0.1})`;
  const filter = `[0:a]asplit[a][b];[a]volume=0:enable='${during}'[one];[b]volume=0:enable='not(${during})'[two]`;
  return ffmpeg('-i', master, '-filter_complex', filter, '-map', '[one]', '-map', '[two]', '-c:a', 'aac', path);
}

function fourTracks({ master }: Kit, path: string): Promise<unknown> {
  const silence = ['-f', 'lavfi', '-t', '9.5', '-i', 'anullsrc=r=48000:cl=stereo'];
  const maps = ['1:a', '0:a', '1:a', '1:a'].flatMap((stream) => ['-map', stream]);
  return ffmpeg('-i', master, ...silence, ...maps, '-c:a', 'aac', path);
}

async function withSubtitles({ master, folder }: Kit, path: string): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  const subtitles = `${folder}/part-subtitles.srt`;
  await writeFile(subtitles, '1\n00:00:01,000 --> 00:00:02,000\none\n');
  const picture = ['-f', 'lavfi', '-i', 'color=size=64x64:rate=10:duration=9'];
  const maps = ['0:v', '1:a', '2:s'].flatMap((stream) => ['-map', stream]);
  await ffmpeg(...picture, '-i', master, '-i', subtitles, ...maps, '-c:v', 'mpeg4', '-c:a', 'aac', path);
}
