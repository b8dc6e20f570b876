/** Enough to draw loudness, and little memory: an hour is 58 MB while it is measured. */
const SAMPLE_RATE_HZ = 4_000;
const PEAKS_PER_SECOND = 50;
/** Decoding more would take too much memory. */
const MAX_BYTES = 400_000_000;

export type Peaks = { values: Uint8Array; perSecond: number };

/** The loudness of a recording in steps, 0 to 255; null when the browser cannot decode it. */
export async function measurePeaks(recording: Blob): Promise<Peaks | null> {
  if (recording.size > MAX_BYTES) return null;
  try {
    const context = new OfflineAudioContext(1, 1, SAMPLE_RATE_HZ);
    const sound = await context.decodeAudioData(await recording.arrayBuffer());
    const samples = sound.getChannelData(0);
    const step = SAMPLE_RATE_HZ / PEAKS_PER_SECOND;
    const values = new Uint8Array(Math.ceil(samples.length / step));
    let loudest = 0.05;
    for (const sample of samples) loudest = Math.max(loudest, Math.abs(sample));
    for (let index = 0; index < values.length; index += 1) {
      let peak = 0;
      const end = Math.min(samples.length, (index + 1) * step);
      for (let at = index * step; at < end; at += 1) peak = Math.max(peak, Math.abs(samples[at] ?? 0));
      values[index] = Math.round((peak / loudest) * 255);
    }
    return { values, perSecond: PEAKS_PER_SECOND };
  } catch {
    return null;
  }
}
