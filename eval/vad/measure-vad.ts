import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { segmentSpeech } from '@jyutsing/audio/speech/segmenter';
import type { SpeechDetector } from '@jyutsing/audio/speech/speech-detector';
import type { Stretch } from '../diarization/speech-stretches.ts';
import { asChunks } from '../sound.ts';
import type { Annotated } from './vad-conditions.ts';

/** Milliseconds that were compared. */
export type VadError = { speechMs: number; missedMs: number; otherMs: number; takenMs: number; cpuSeconds: number };

const STEP_MS = 10;

/** Compares what a recognizer would get, padding included, with the annotation. */
export async function measureVad(
  recordings: Iterable<Annotated>,
  createDetector: () => Promise<SpeechDetector>,
): Promise<VadError> {
  const total: VadError = { speechMs: 0, missedMs: 0, otherMs: 0, takenMs: 0, cpuSeconds: 0 };
  for (const { samples, speech } of recordings) {
    const before = process.cpuUsage();
    const found = await segmentsOf(samples, createDetector);
    const { user, system } = process.cpuUsage(before);
    total.cpuSeconds += (user + system) / 1e6;
    const steps = Math.ceil((samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ / STEP_MS);
    const [isSpeech, isFound] = [mark(speech, steps), mark(found, steps)];
    for (let step = 0; step < steps; step += 1) {
      if (isSpeech[step] === 1) {
        total.speechMs += STEP_MS;
        if (isFound[step] === 0) total.missedMs += STEP_MS;
      } else {
        total.otherMs += STEP_MS;
        if (isFound[step] === 1) total.takenMs += STEP_MS;
      }
    }
  }
  return total;
}

async function segmentsOf(samples: Float32Array, createDetector: () => Promise<SpeechDetector>): Promise<Stretch[]> {
  const segments: Stretch[] = [];
  for await (const event of segmentSpeech(asChunks(samples), new AbortController().signal, createDetector)) {
    if (event.type !== 'segment') continue;
    const { startMs, samples: speech } = event.segment;
    segments.push({ startMs, endMs: startMs + (speech.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ });
  }
  return segments;
}

function mark(stretches: readonly Stretch[], steps: number): Uint8Array {
  const marks = new Uint8Array(steps);
  for (const { startMs, endMs } of stretches) marks.fill(1, Math.round(startMs / STEP_MS), Math.round(endMs / STEP_MS));
  return marks;
}
