export type SampleFault = 'tooShort' | 'tooLong' | 'quiet' | 'clipped' | 'silent' | 'unreadable';
export type SampleVerdict = { seconds: number; fault: SampleFault | null };

const MIN_SECONDS = 3;
const MAX_SECONDS = 30;
const QUIET_BELOW = 0.08;
const CLIPPED_FROM = 0.985;
/** Share of all samples; a single click is no clipping. */
const CLIPPED_SHARE = 0.0005;
const STEP_SECONDS = 0.05;
/** A step is speech when it is louder than this share of the loudest one. */
const SPEECH_FROM = 0.08;
const MIN_SPEECH_SECONDS = 2;
/** The sample is decoded at this rate to be judged; the file that is sent keeps its own. */
const SAMPLE_RATE_HZ = 24_000;

/** Finds what a person should mend about a recording before it is sent as the sample of a voice. */
export async function checkSample(recording: Blob): Promise<SampleVerdict> {
  try {
    const context = new OfflineAudioContext(1, 1, SAMPLE_RATE_HZ);
    const sound = await context.decodeAudioData(await recording.arrayBuffer());
    return judgeSamples(sound.getChannelData(0), SAMPLE_RATE_HZ);
  } catch {
    return { seconds: 0, fault: 'unreadable' };
  }
}

export function judgeSamples(samples: Float32Array, sampleRateHz: number): SampleVerdict {
  const seconds = samples.length / sampleRateHz;
  const step = Math.round(sampleRateHz * STEP_SECONDS);
  const peaks: number[] = [];
  let clipped = 0;
  for (let start = 0; start < samples.length; start += step) {
    let peak = 0;
    for (const sample of samples.subarray(start, start + step)) {
      const loudness = Math.abs(sample);
      if (loudness >= CLIPPED_FROM) clipped += 1;
      peak = Math.max(peak, loudness);
    }
    peaks.push(peak);
  }
  const loudest = peaks.reduce((most, peak) => Math.max(most, peak), 0);
  const speechSeconds = peaks.filter((peak) => peak > loudest * SPEECH_FROM).length * STEP_SECONDS;
  const faults: readonly [SampleFault, boolean][] = [
    ['tooShort', seconds < MIN_SECONDS],
    ['tooLong', seconds > MAX_SECONDS],
    ['quiet', loudest < QUIET_BELOW],
    ['clipped', clipped > samples.length * CLIPPED_SHARE],
    ['silent', speechSeconds < MIN_SPEECH_SECONDS],
  ];
  return { seconds, fault: faults.find(([, isSo]) => isSo)?.[0] ?? null };
}
