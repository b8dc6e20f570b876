import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AV_SAMPLE_FMT_S16 } from 'node-av/constants';
import { encodeSync, encoding } from '#testbed/sound/audio.ts';
import { ffmpeg, run } from '../programs.ts';
import { cutAt, onTheWay, originalSound, patched, type Row, type Whole } from '../row.ts';

/** The encoder of AMR-WB, of which Debian has no program. */
const ENCODER = join(import.meta.dirname, '../encode-amr-wb.py');

/**
 * Bytes of a frame of AMR behind its first byte, by the type in that byte (3GPP TS 26.101, 26.201).
 */
const FRAME_BYTES = {
  nb: [12, 13, 15, 17, 19, 20, 26, 31, 5, 0, 0, 0, 0, 0, 0, 0],
  wb: [17, 23, 32, 36, 40, 46, 50, 58, 60, 5, 0, 0, 0, 0, 0, 0],
} as const;
type Band = keyof typeof FRAME_BYTES;
const MAGIC: Record<Band, string> = { nb: '#!AMR\n', wb: '#!AMR-WB\n' };

/** FFmpeg refuses packets of suppressed pauses, and is early by each. */
const EARLY: Whole = { reference: { wrong: 'FFmpeg leaves out suppressed pauses' } };
const BY_SOX: Whole = { reference: 'sox' };
/** A tone in the pauses, which no encoder suppresses as it does noise. */
const HUMMED = 'aeval=val(0)+0.05*sin(2*PI*300*t)';

export const PHONE_ROWS: readonly Row[] = [
  row('AMR-NB without pauses, 12.2 kbit/s', 'amr', withoutPauses('nb', 7)),
  row('AMR-WB without pauses, 12.65 kbit/s', 'awb', withoutPauses('wb', 2)),
  row('AMR-NB, 12.2 kbit/s, pauses as comfort noise', 'amr', amr('nb', 7), { ...BY_SOX, isTranscribed: true }),
  row('AMR-NB, 4.75 kbit/s, pauses as comfort noise', 'amr', amr('nb', 0), BY_SOX),
  row('AMR-WB, 12.65 kbit/s, pauses as comfort noise', 'awb', amr('wb', 2), { ...BY_SOX, isTranscribed: true }),
  row('AMR-WB, 23.85 kbit/s, pauses as comfort noise', 'awb', amr('wb', 8), BY_SOX),
  row('AMR-WB, 6.6 kbit/s, pauses as comfort noise', 'awb', amr('wb', 0), BY_SOX),
  row('AMR-NB, no data in pauses', 'amr', patched(amr('nb', 7), suppressed('nb')), BY_SOX),
  row('AMR-WB, no data in pauses', 'awb', patched(amr('wb', 2), suppressed('wb')), BY_SOX),
  row('AMR-NB of a phone', '3gp', in3gp('nb', amr('nb', 7)), { ...EARLY, isTranscribed: true }),
  row('AMR-WB of a phone', '3gp', in3gp('wb', amr('wb', 2)), EARLY),
  row('AMR-NB, no data in pauses', '3gp', in3gp('nb', patched(amr('nb', 7), suppressed('nb'))), EARLY),
  row('AMR-WB, no data in pauses', '3gp', in3gp('wb', patched(amr('wb', 2), suppressed('wb'))), EARLY),
  row('AMR-NB without pauses', '3gp', in3gp('nb', withoutPauses('nb', 7))),
  row('AMR-NB, frames marked as bad in a pause', 'amr', patched(withoutPauses('nb', 7), marked)),
  row('AMR-NB, cut off in a frame', 'amr', patched(withoutPauses('nb', 7), cutAt(0.7)), {
    heard: 'as the second implementation',
    durationMs: null,
    isCutOff: true,
  }),
  row('AAC-LD of a conference', 'm4a', lowDelay('aac_ld')),
  row('AAC-ELD of a telephone', 'm4a', lowDelay('aac_eld')),
  row('AMR of two channels', 'amr', (_, path) => writeFile(path, `#!AMR_MC1.0\n${'\0'.repeat(500)}`), {
    codes: ['unsupported_audio_format'],
    says: /AMR/,
  }),
];

function row(what: string, ending: string, make: Row['make'], expected: Row['expected'] = {}): Row {
  return { kind: 'phones', what, ending, make, expected };
}

/** Calls `change` with every frame: its first byte, and the time at which it begins. */
function changeFrames(band: Band, bytes: Buffer, change: (frame: Buffer, startMs: number) => Buffer): Buffer {
  const magic = MAGIC[band].length;
  const frames: Buffer[] = [bytes.subarray(0, magic)];
  for (let at = magic, index = 0; at < bytes.length; index += 1) {
    const end = at + 1 + FRAME_BYTES[band][(bytes[at]! >> 3) & 15]!;
    frames.push(change(bytes.subarray(at, end), index * 20));
    at = end;
  }
  return Buffer.concat(frames);
}

/** Replaces the frames of two pauses by "no data" (type 15). */
function suppressed(band: Band): (bytes: Buffer) => Buffer {
  return (bytes) =>
    changeFrames(band, bytes, (frame, startMs) => {
      const isPause = (startMs >= 2_700 && startMs < 3_240) || (startMs >= 5_900 && startMs < 6_440);
      return isPause ? Buffer.from([0x7c]) : frame;
    });
}

/** Clears the bit that says that a frame is good, in some frames of a pause. */
function marked(bytes: Buffer): Buffer {
  return changeFrames('nb', bytes, (frame, startMs) => {
    if (startMs >= 2_700 && startMs < 2_800) frame[0] = frame[0]! & ~4;
    return frame;
  });
}

/** A recording of a phone, at 8 or 16 kHz; `mode` is the number of the bit rate. */
function amr(band: Band, mode: number, filter = 'anull'): Row['make'] {
  return async ({ master }, path) => {
    const rateHz = band === 'nb' ? '8000' : '16000';
    const wav = `${path}.wav`;
    // Both encoders suppress pauses, as phones do.
    const filters = ['-i', master, '-af', filter, '-ar', rateHz];
    if (band === 'wb') {
      await run('python3', [ENCODER, String(mode), '1', path], await ffmpeg(...filters, '-f', 's16le', '-'));
    } else {
      await ffmpeg(...filters, wav);
      await run('sox', [wav, '-t', 'amr-nb', '-C', String(mode), path]);
    }
  };
}

function withoutPauses(band: Band, mode: number): Row['make'] {
  return amr(band, mode, HUMMED);
}

function in3gp(band: Band, make: Row['make']): Row['make'] {
  return async (kit, path) => {
    await ffmpeg('-i', await onTheWay(kit, `phone-${band}.amr`, make), '-c', 'copy', path);
  };
}

/** Debian's ffmpeg has no encoder for it, but the codec library of the product has. */
function lowDelay(profile: string): Row['make'] {
  const aac = { ...encoding('ipod', 'libfdk_aac', AV_SAMPLE_FMT_S16), codecOptions: { profile } };
  return async (_, path) => encodeSync(path, await originalSound(48_000), aac);
}
