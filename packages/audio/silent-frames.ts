import { AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P, type AVSampleFormat } from 'node-av/constants';
import { avGetBytesPerSample, Frame } from 'node-av/lib';

/** Samples of one frame: a long gap takes no more memory than a short one. */
const PIECE_SAMPLES = 16_384;

type Shape = Pick<Frame, 'format' | 'sampleRate' | 'channelLayout'>;

/** Makes frames of silence. */
export type SilentFrames = {
  /**
   * Yields frames with `samples` samples altogether in the shape of other frames; one object, to be
   * used before the next.
   */
  like(shape: Shape, samples: number): Generator<Frame>;
  close(): void;
};

/** Creates a source of silence, which keeps one piece of it. */
export function createSilentFrames(): SilentFrames {
  let piece: Frame | null = null;
  return {
    *like(shape, samples) {
      if (samples <= 0) return;
      if (piece === null || !isAlike(piece, shape)) {
        piece?.free();
        piece = silenceLike(shape);
      }
      for (let left = samples; left > 0; left -= PIECE_SAMPLES) {
        piece.nbSamples = Math.min(left, PIECE_SAMPLES);
        yield piece;
      }
    },
    close: () => piece?.free(),
  };
}

function isAlike(a: Shape, b: Shape): boolean {
  const [layoutA, layoutB] = [a.channelLayout, b.channelLayout];
  return (
    a.sampleRate === b.sampleRate &&
    a.format === b.format &&
    layoutA.nbChannels === layoutB.nbChannels &&
    layoutA.mask === layoutB.mask
  );
}

function silenceLike({ format, sampleRate, channelLayout }: Shape): Frame {
  const sampleFormat = format as AVSampleFormat;
  const sampleBytes = avGetBytesPerSample(sampleFormat);
  // Unsigned samples are silent in the middle of their range.
  const zero = sampleFormat === AV_SAMPLE_FMT_U8 || sampleFormat === AV_SAMPLE_FMT_U8P ? 0x80 : 0;
  return Frame.fromAudioBuffer(Buffer.alloc(PIECE_SAMPLES * channelLayout.nbChannels * sampleBytes, zero), {
    nbSamples: PIECE_SAMPLES,
    format: sampleFormat,
    sampleRate,
    channelLayout,
  });
}
