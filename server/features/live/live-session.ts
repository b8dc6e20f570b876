import { fromInt16 } from '@jyutsing/audio/encoding/sample-values';
import type { LiveOptions } from '@jyutsing/contracts/live-recognition';
import { LiveSegmenter } from '@jyutsing/audio/speech/live-segmenter';
import type { LiveContext } from './live-context.ts';
import { createSegmentWork } from './segment-work.ts';
import { createSpeakerWork } from './speaker-work.ts';

/** The messages that reach a session, in order. */
export type LiveInput =
  | { type: 'sound'; samples: Int16Array }
  | { type: 'commit' }
  | { type: 'clear' }
  | { type: 'configure'; changes: Partial<LiveOptions> }
  | { type: 'end' };

/** Sound is taken in steps of this length, between which other sessions may work. */
const STEP_SAMPLES = 2_560;

/**
 * Runs one session until its end. A segment that cannot be recognized fails alone. An aborted
 * signal throws its reason.
 */
export async function runLiveSession(
  initial: LiveOptions,
  inputs: AsyncIterable<LiveInput>,
  context: LiveContext,
  signal: AbortSignal,
): Promise<void> {
  const segmenter = new LiveSegmenter(await context.createDetector(), initial.turnDetection);
  const speakers = createSpeakerWork(context, signal);
  const work = createSegmentWork(segmenter, initial, { ...context, speakers }, signal);
  let { diarizer } = initial;
  try {
    for await (const input of inputs) {
      signal.throwIfAborted();
      if (input.type === 'end') break;
      if (input.type === 'configure') {
        const { turnDetection } = input.changes;
        ({ diarizer } = { diarizer, ...input.changes });
        if (turnDetection !== undefined) segmenter.configure(turnDetection);
        work.configure(input.changes);
      } else if (input.type === 'commit') work.handle(segmenter.commit('commit'));
      else if (input.type === 'clear') {
        if (segmenter.clear()) work.drop();
      } else {
        const samples = fromInt16(input.samples);
        for (let at = 0; at < samples.length; at += STEP_SAMPLES) {
          const step = samples.subarray(at, at + STEP_SAMPLES);
          speakers.hear(step, diarizer, segmenter.receivedMs());
          work.handle(await segmenter.push(step));
          work.update();
          await work.waitForRoom();
        }
        context.onTaken(samples.length);
      }
    }
    signal.throwIfAborted();
    work.handle(segmenter.commit('end'));
    await work.done();
  } finally {
    segmenter.close();
  }
}
