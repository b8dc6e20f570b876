import { AV_DISPOSITION_ATTACHED_PIC, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import type { FormatContext, Stream } from 'node-av/lib';
import type { AudioContainer } from '@jyutsing/contracts/audio';
import { isWithoutTimes } from './lost-frames.ts';
import type { ClockStart } from './recording-clock.ts';

/** AV_NOPTS_VALUE: FFmpeg does not know a time. */
const NO_TIMESTAMP = -(2n ** 63n);
const MICROSECONDS_PER_MS = 1_000;

const NO_PRIMING: ClockStart['priming'] = { samples: 0 };
/**
 * The sound with which every encoder of a codec begins: one frame of AAC (ISO 14496-24), and the
 * 529 samples of the decoder with the 576 of the encoder for MP3, at every rate (technical FAQ of
 * LAME, measured with LAME 3.100).
 */
const PRIMING: Readonly<Record<string, ClockStart['priming']>> = {
  aac: { frames: 1 },
  aac_latm: { frames: 1 },
  mp3: { samples: 1_105 },
};
/** Offset of the flags in the header of a codec (libavcodec/wma.c of FFmpeg 8.1). */
const WMA_FLAGS_AT: Readonly<Record<string, number>> = { wmav1: 2, wmav2: 4 };
const WMA_BIT_RESERVOIR = 2;

/**
 * AVI has no times. FFmpeg 8.1 (libavformat/avidec.c) counts what lies before a packet: frames, or
 * bytes by the mean rate of the header, which differ from the time where frames have other lengths.
 * The times of bare frames come from the rate of the first (aacdec.c), which may change.
 */
function whatIsStated(container: AudioContainer): Pick<ClockStart, 'states'> {
  if (container === 'avi') return { states: 'numbers' };
  return isWithoutTimes(container) ? { states: 'nothing' } : {};
}

type Identified = { container: AudioContainer; codec: string; lateTicks: bigint; firstFrameMs: number };

/**
 * Reads where the time line of a file begins. A file of the MP4 family with an index counts from 0,
 * whatever its edit lists leave empty; all others, which may be parts of longer streams, count from
 * their first track.
 */
export function clockStartOf(
  context: FormatContext,
  stream: Stream,
  { container, codec, lateTicks, firstFrameMs }: Identified,
): ClockStart {
  const { timeBase } = stream;
  const isIndexed = container === 'm4a' && stream.nbFrames > 0n;
  const isFromZero = container === 'wav' || container === 'w64';
  // Its frames have numbers, so that the time of the first is that of damage before it.
  const isNumbered = container === 'flac' && stream.duration > 0n;
  const startUs = isIndexed || isFromZero || isNumbered ? 0n : context.startTime;
  const tickMs = (1_000 * timeBase.num) / timeBase.den;
  const lateMs = context.streams.length === 1 ? Number(lateTicks) * tickMs : 0;
  return {
    tickMs,
    startMs: startUs === NO_TIMESTAMP ? null : Number(startUs) / MICROSECONDS_PER_MS + lateMs + firstFrameMs,
    ...whatIsStated(container),
    // Beside another track the timestamps place the sound as it belongs to that.
    priming: isAlone(context, stream) ? primingOf(codec, stream.codecpar.extradata) : NO_PRIMING,
  };
}

function primingOf(codec: string, header: Buffer | null): ClockStart['priming'] {
  const flagsAt = WMA_FLAGS_AT[codec];
  if (flagsAt === undefined || header === null || header.length < flagsAt + 2) return PRIMING[codec] ?? NO_PRIMING;
  // FFmpeg 8.1 (libavcodec/wmadec.c) leaves out the first two frames, but not their time. Its own
  // encoder writes only one before the sound, and never uses the reservoir.
  return { frames: (header.readUInt16LE(flagsAt) & WMA_BIT_RESERVOIR) === 0 ? 1 : 2 };
}

/** Thirty years: more is a placeholder for a length that was never stated. */
const LONGEST_MS = 1e12;

type Described = { context: FormatContext; stream: Stream; container: AudioContainer; codec: string };

/**
 * Returns the time at which the sound ends by the header, in milliseconds on the clock; null when
 * the header does not tell. `ticks`: the duration of the stream before any estimate.
 */
export function declaredEndMs(
  ticks: bigint,
  { context, stream, container, codec }: Described,
  { tickMs, startMs }: ClockStart,
): number | null {
  const durationMs = Number(ticks) * tickMs;
  if (durationMs <= 0 || durationMs > LONGEST_MS) return null;
  // Programs do not agree whether AIFF counts packets or samples.
  if (container === 'aiff' && !codec.startsWith('pcm_')) return null;
  // FFmpeg gives the duration of a whole film to its sound, which may end before the picture.
  if (container === 'wma' && !isAlone(context, stream)) return null;
  if (container === 'm4a' && stream.startTime > 0n) {
    // Its durations count from the start of the track, but those of fragments from zero.
    const isIndexed = stream.nbFrames > 0n;
    return durationMs + (isIndexed ? Number(stream.startTime) * tickMs : 0) - (startMs ?? 0);
  }
  // A part that was cut from a file states the duration of the whole.
  if (container === 'flac' && startMs !== null) return durationMs > startMs ? durationMs - startMs : null;
  // FFmpeg takes the last position of an Ogg stream as its duration, wherever the stream begins.
  if (container === 'ogg' && startMs !== null && durationMs > startMs) return durationMs - Math.max(0, startMs);
  return durationMs;
}

/** A picture of the cover is no other track. */
function isAlone({ streams }: FormatContext, stream: Stream): boolean {
  return streams.every(({ index, codecpar, disposition }) => {
    const isTimed = codecpar.codecType === AVMEDIA_TYPE_AUDIO || codecpar.codecType === AVMEDIA_TYPE_VIDEO;
    return index === stream.index || !isTimed || (disposition & AV_DISPOSITION_ATTACHED_PIC) !== 0;
  });
}
