import { readFile, writeFile } from 'node:fs/promises';
import { changePages, type OggPage } from '../ogg-pages.ts';
import { run } from '../programs.ts';
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
  type Row,
  type Whole,
} from '../row.ts';

const TWICE: Whole = {
  heard: [...later(0), ...later(DURATION_MS)],
  durationMs: 2 * DURATION_MS,
  chargedMs: 2 * DURATION_MS,
};
/** A part with another rate or other channels. */
const ANEW: Whole = { ...TWICE, reference: { wrong: 'FFmpeg 5.1 keeps the decoder of the first part' } };
const OPUS = '-c:a libopus -page_duration 20000';
const VORBIS = '-c:a libvorbis -page_duration 20000';

export const OGG_ROWS: readonly Row[] = [
  row('Opus of WhatsApp, 16 kHz', 'opus', opusenc('--bitrate', '16', '--framesize', '60'), {
    isTranscribed: true,
  }),
  row('Opus of Telegram', 'oga', encode('-c:a libopus -b:a 32k -application voip')),
  row('Opus, frames of 2.5 ms', 'opus', opusenc('--framesize', '2.5')),
  row('Opus, frames of 120 ms', 'opus', encode('-c:a libopus -frame_duration 120')),
  row('Opus, stereo', 'opus', encode('-c:a libopus -ac 2')),
  row('Opus, 5.1 sound', 'opus', encode('-c:a libopus -ac 6')),
  row('Opus with a pre-skip of 80 ms', 'opus', patched(encode(OPUS), preSkip), {
    heard: later(-73.5),
    durationMs: null,
  }),
  row('Opus whose header says 10 dB softer', 'opus', patched(encode(OPUS), gain)),
  row('Vorbis', 'ogg', encode('-c:a libvorbis')),
  row('Vorbis at 8 kHz', 'ogg', encode('-c:a libvorbis -ar 8000')),
  row('FLAC', 'oga', encode('-c:a flac -f ogg')),
  row('Speex of a voice mailbox', 'spx', encode('-c:a libspeex -ar 8000')),
  row('Speex, wide band', 'spx', encode('-c:a libspeex -ar 16000')),
  row('chained Opus', 'opus', chained(['-c:a libopus', '-c:a libopus']), TWICE),
  row('chained Vorbis', 'ogg', chained(['-c:a libvorbis', '-c:a libvorbis']), TWICE),
  row('chained Vorbis with another rate', 'ogg', chained(['-c:a libvorbis', '-c:a libvorbis -ar 22050']), ANEW),
  row('chained Vorbis with more channels', 'ogg', chained(['-c:a libvorbis', '-c:a libvorbis -ac 2']), ANEW),
  row('chained FLAC', 'oga', chained(['-c:a flac', '-c:a flac']), TWICE),
  row('Opus whose first granule is 10 minutes', 'opus', patched(encode(OPUS), laterGranules(48_000 * 600))),
  row('Vorbis whose first granule is 10 minutes', 'ogg', patched(encode(VORBIS), laterGranules(48_000 * 600))),
  row('Opus of a station, joined in the middle', 'opus', patched(encode(OPUS), joinedIn), {
    heard: 'as the second implementation',
    durationMs: null,
  }),
  row('Vorbis of a station, joined in the middle', 'ogg', patched(encode(VORBIS), joinedIn), {
    heard: 'as the second implementation',
    durationMs: null,
  }),
  row('Opus, a pause of the recorder', 'opus', paused('opus', OPUS, '-page_duration 20000'), PAUSED),
  row('Vorbis, a pause of the recorder', 'ogg', paused('ogg', VORBIS, '-page_duration 20000'), PAUSED),
  row('Opus, pages lost in a pause', 'opus', patched(encode(OPUS), withoutPages(2_600, 3_200)), {
    chargedMs: DURATION_MS - 600,
  }),
  row('a film whose sound is 3 s late', 'ogv', film('-c:v libtheora -c:a libvorbis', '-itsoffset 3'), LATE),
  row('Opus, cut off', 'opus', patched(encode('-c:a libopus'), cutAt(0.7)), {
    ...CUT,
    isTranscribed: true,
  }),
  row('Vorbis, cut off', 'ogg', patched(encode('-c:a libvorbis'), cutAt(0.7)), CUT),
  row('FLAC, cut off', 'oga', patched(encode('-c:a flac -f ogg'), cutAt(0.7)), CUT),
  row('Opus, one damaged page', 'opus', patched(encode(OPUS), damaged), {
    chargedMs: DURATION_MS - 20,
  }),
];

function row(what: string, ending: string, make: Row['make'], expected: Row['expected'] = {}): Row {
  return { kind: 'ogg', what, ending, make, expected };
}

function opusenc(...args: string[]): Row['make'] {
  return ({ master }, path) => run('opusenc', ['--quiet', ...args, master, path]);
}

/** Several files one after the other, as a recorder that appends, or `cat`, makes them. */
function chained(encodings: readonly string[]): Row['make'] {
  return async (kit, path) => {
    const parts: Buffer[] = [];
    for (const [index, encoding] of encodings.entries()) {
      parts.push(
        await readFile(await onTheWay(kit, `chain-${index}.ogg`, encode(`${encoding} -f ogg -serial_offset ${index}`))),
      );
    }
    await writeFile(path, Buffer.concat(parts));
  };
}

/** Writes a pre-skip of 80 ms, after which the sound begins 73.5 ms earlier than with 6.5 ms. */
function preSkip(bytes: Buffer): Buffer {
  return changePages(bytes, (page) => {
    if (isOpusHead(page)) page.body.writeUInt16LE(3_840, 10);
    return true;
  });
}

/** Sets the output gain to 10 dB, in steps of 1/256 dB. */
function gain(bytes: Buffer): Buffer {
  return changePages(bytes, (page) => {
    if (isOpusHead(page)) page.body.writeInt16LE(-10 * 256, 16);
    return true;
  });
}

function isOpusHead({ body }: OggPage): boolean {
  return body.toString('latin1', 0, 8) === 'OpusHead';
}

function laterGranules(by: number): (bytes: Buffer) => Buffer {
  return (bytes) =>
    changePages(bytes, (page) => {
      if (page.granule > 0n) page.granule += BigInt(by);
      return true;
    });
}

/** Keeps the headers, and the sound from 3 s on. */
function joinedIn(bytes: Buffer): Buffer {
  return changePages(bytes, ({ granule }) => granule === 0n || granule > 3n * 48_000n);
}

/** Leaves out the pages that end between these times. */
function withoutPages(fromMs: number, toMs: number): (bytes: Buffer) => Buffer {
  return (bytes) => changePages(bytes, ({ granule }) => !(granule > fromMs * 48 && granule <= toMs * 48));
}

function damaged(bytes: Buffer): Buffer {
  const at = bytes.length >> 2;
  bytes.fill(0x55, at, at + 20);
  return bytes;
}
