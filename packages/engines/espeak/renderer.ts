import { setImmediate as nextTurn } from 'node:timers/promises';
import { amplify } from '@jyutsing/audio/encoding/sample-values';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { SYNTHESIS_SAMPLE_RATE_HZ, type SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import { createResynthesizer } from '@jyutsing/audio/vocoder/resynthesize';
import { FRAME_MS } from '@jyutsing/audio/vocoder/speech-frames';
import type { F0Contour } from './f0-contour.ts';
import { createFrame, type Timeline } from './timeline.ts';
import type { VoiceConversion } from './voice-conversion.ts';

/** Samples of the first block, which is short for low latency; later blocks are longer. */
const FIRST_BLOCK_SAMPLES = SYNTHESIS_SAMPLE_RATE_HZ * 0.04;
const BLOCK_SAMPLES = SYNTHESIS_SAMPLE_RATE_HZ * 0.16;
/** Milliseconds of work after which the event loop gets a turn, for other requests and aborts. */
const TURN_MS = 10;

type Renderer = {
  /** Renders audio up to a time of the timeline. */
  renderUntil(untilMs: number): AsyncGenerator<SynthesisEvent>;
  /** Emits the remaining audio. */
  end(): Generator<SynthesisEvent>;
};

/**
 * Renders a timeline and an F0 contour frame by frame in one seamless stream. An aborted signal
 * throws its reason. `gain` makes the voice as loud as the others.
 */
export function createRenderer(
  {
    timeline,
    conversion,
    contour,
    seed,
    gain,
  }: { timeline: Timeline; conversion: VoiceConversion; contour: F0Contour; seed: number; gain: number },
  signal: AbortSignal,
): Renderer {
  const resynthesizer = createResynthesizer({ seed });
  const frame = createFrame();
  let frames = 0;
  let waiting: Float32Array[] = [];
  let waitingSamples = 0;
  let wantedSamples = FIRST_BLOCK_SAMPLES;
  let turnFromMs = performance.now();

  const keep = (samples: Float32Array) => {
    waiting.push(samples);
    waitingSamples += samples.length;
  };
  const takeBlock = (): SynthesisEvent => {
    const samples = amplify(joinSamples(waiting), gain);
    waiting = [];
    waitingSamples = 0;
    wantedSamples = BLOCK_SAMPLES;
    return { type: 'audio', samples };
  };

  return {
    async *renderUntil(untilMs) {
      for (; frames * FRAME_MS < untilMs; frames += 1) {
        const timeMs = frames * FRAME_MS;
        timeline.fill(timeMs, frame);
        const pitchHz = frame.isVoiced ? conversion.pitchHzOf(contour.at(timeMs)) : 0;
        conversion.shape(frame);
        keep(resynthesizer.push({ pitchHz, envelopeDb: frame.envelopeDb, noiseShares: frame.noiseShares }));
        if (waitingSamples >= wantedSamples) yield takeBlock();
        if (performance.now() - turnFromMs > TURN_MS) {
          await nextTurn();
          turnFromMs = performance.now();
        }
        signal.throwIfAborted();
      }
    },
    *end() {
      keep(resynthesizer.flush());
      if (waitingSamples > 0) yield takeBlock();
    },
  };
}
