import { ALL_FORMATS, AudioSampleSink, BlobSource, Input, type AudioSample } from 'mediabunny';

const PEAKS_PER_SECOND = 50;
/**
 * The page measures for this long at a time, so that it still scrolls while it measures three
 * hours.
 */
const WORK_MS = 4;

/** The loudness of a recording in steps; `values` go from 0 to 255, the loudest. */
export type Peaks = { values: Uint8Array; perSecond: number };

/**
 * The loudness of a recording in steps, read piece by piece; null when the browser cannot decode
 * it, which for compressed sound needs WebCodecs and so HTTPS or localhost.
 */
export async function measurePeaks(recording: Blob, signal: AbortSignal): Promise<Peaks | null> {
  try {
    using input = new Input({ formats: ALL_FORMATS, source: new BlobSource(recording) });
    const track = await input.getPrimaryAudioTrack();
    if (track === null || !(await track.canDecode())) return null;
    const peaks = new Float32Array(Math.ceil((await track.computeDuration()) * PEAKS_PER_SECOND));
    let restedMs = performance.now();
    for await (const sample of new AudioSampleSink(track).samples()) {
      try {
        if (signal.aborted) return null;
        measureSample(sample, peaks);
      } finally {
        sample.close();
      }
      if (performance.now() - restedMs < WORK_MS) continue;
      await new Promise((resolve) => setTimeout(resolve));
      restedMs = performance.now();
    }
    const loudest = peaks.reduce((most, peak) => Math.max(most, peak), 0.05);
    return {
      values: Uint8Array.from(peaks, (peak) => Math.round((peak / loudest) * 255)),
      perSecond: PEAKS_PER_SECOND,
    };
  } catch {
    return null;
  }
}

function measureSample(sample: AudioSample, peaks: Float32Array): void {
  const frames = new Float32Array(sample.numberOfFrames);
  sample.copyTo(frames, { planeIndex: 0, format: 'f32-planar' });
  const perFrame = PEAKS_PER_SECOND / sample.sampleRate;
  const first = sample.timestamp * PEAKS_PER_SECOND;
  for (const [at, frame] of frames.entries()) {
    const index = Math.floor(first + at * perFrame);
    peaks[index] = Math.max(peaks[index] ?? 0, Math.abs(frame));
  }
}
