import type { Diarizer, SpeakerTurn } from '@jyutsing/contracts/diarizer';
import { DEFAULT_TURN_DETECTION } from '@jyutsing/contracts/live-recognition';
import { createLiveSpeechDetector } from '@jyutsing/audio/speech/live-speech-detector';
import { LiveSegmenter } from '@jyutsing/audio/speech/live-segmenter';
import { createLiveSpeakers } from '#server/features/live/live-speakers.ts';

/** Sound reaches a session in such steps. */
const STEP_SAMPLES = 2_560;

/**
 * Tells speakers apart as a live session does: at the end of each stretch of speech, by the sound
 * until then. What was told of a stretch then is not changed by what is found later.
 */
export function asLive(diarizer: Diarizer): Diarizer {
  return {
    ...diarizer,
    async *diarize(audio, signal) {
      const segmenter = new LiveSegmenter(await createLiveSpeechDetector(), DEFAULT_TURN_DETECTION);
      const speakers = createLiveSpeakers(async () => diarizer, 0);
      const shown: SpeakerTurn[] = [];
      let shownUntilMs = 0;
      const show = async () => {
        await speakers.find(signal);
        const untilMs = segmenter.receivedMs();
        for (const turn of speakers.turns()) {
          const startMs = Math.max(turn.startMs, shownUntilMs);
          const endMs = Math.min(turn.endMs, untilMs);
          if (startMs < endMs) shown.push({ ...turn, startMs, endMs });
        }
        shownUntilMs = untilMs;
      };
      try {
        for await (const { samples } of audio) {
          for (let at = 0; at < samples.length; at += STEP_SAMPLES) {
            const step = samples.subarray(at, at + STEP_SAMPLES);
            speakers.hear(step);
            const events = await segmenter.push(step);
            if (events.some(({ type }) => type === 'piece')) await show();
          }
        }
        await show();
      } finally {
        segmenter.close();
      }
      yield { type: 'turns', turns: shown.toSorted((one, other) => one.startMs - other.startMs) };
    },
  };
}
