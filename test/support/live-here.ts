import type { LiveRecognition } from '@jyutsing/contracts/live-recognition';
import type { Recognizer } from '@jyutsing/contracts/recognizer';
import { createLiveSpeechDetector } from '@jyutsing/audio/speech/live-speech-detector';
import { createChannel } from '@jyutsing/concurrency/channel';
import { hostLiveSessions } from '#server/workers/live/host-sessions.ts';
import type { CorrectLive } from '#server/workers/live/live-correction.ts';
import { createLiveRecognition } from '#server/workers/live/live-recognition.ts';
import type { LiveMessage } from '#server/workers/live/live-messages.ts';

/** Live recognition with one recognizer, in the process of the test instead of a worker process. */
export function recognizeLiveWith(recognizer: Recognizer, correct?: CorrectLive): LiveRecognition {
  const means = {
    hold: () => ({ open: async () => recognizer as never, [Symbol.dispose]() {} }),
    createDetector: createLiveSpeechDetector,
    isSpeech: async () => true,
  };
  return createLiveRecognition(
    {
      async connect(_task, _input, signal) {
        const messages = createChannel<unknown>();
        const inputs = messages as AsyncIterable<LiveMessage>;
        const events = hostLiveSessions(inputs, means, signal);
        return { send: messages.push, events: events as AsyncIterable<never> };
      },
    },
    1,
    correct,
  );
}
