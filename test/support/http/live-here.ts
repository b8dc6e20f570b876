import type { LiveRecognition } from '@jyutsing/contracts/live-recognition';
import type { Recognizer } from '@jyutsing/contracts/recognizer';
import type { Segment } from '@jyutsing/contracts/transcript';
import { recognizeSegments } from '@jyutsing/audio/speech/recognize-segments';
import { createMessageQueue } from '@jyutsing/concurrency/message-queue';
import { hostLiveSessions } from '#server/workers/live/host-sessions.ts';
import { createLiveRecognition } from '#server/workers/live/live-recognition.ts';
import type { LiveMessage } from '#server/workers/tasks/recognize-live.ts';

const TEXT = '一二三四五六七八九十';
const CHARACTER_MS = 250;

/**
 * Live recognition in the process of the test instead of a worker process: real voice activity, and
 * a recognizer that writes the next numeral for every quarter of a second of speech.
 */
export function recognizeLiveHere(): LiveRecognition {
  return createLiveRecognition(
    {
      async connect(_task, _input, signal) {
        const messages = createMessageQueue<LiveMessage>();
        const events = hostLiveSessions(messages.messages, async () => COUNTING as never, signal);
        return { send: (message) => messages.push(message as never), events: events as AsyncIterable<never> };
      },
    },
    1,
  );
}

const COUNTING: Recognizer = {
  recognize: (audio, _options, signal) =>
    recognizeSegments(
      audio,
      async ({ speechStartMs, speechEndMs }) => {
        const count = Math.max(1, Math.round((speechEndMs - speechStartMs) / CHARACTER_MS));
        return segmentOf(
          Array.from({ length: count }, (_, index) => TEXT[index % TEXT.length]!),
          speechStartMs,
          speechEndMs,
        );
      },
      signal,
    ),
  async close() {},
};

function segmentOf(characters: readonly string[], startMs: number, endMs: number): Segment {
  const step = (endMs - startMs) / characters.length;
  const words = characters.map((text, index) => ({
    text,
    reading: null,
    startMs: Math.round(startMs + index * step),
    endMs: Math.round(startMs + (index + 1) * step),
    confidence: 0.9,
  }));
  return { text: characters.join(''), startMs, endMs, words, speaker: null, confidence: 0.9 };
}
