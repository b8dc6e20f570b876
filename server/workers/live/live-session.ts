import type { LiveEvent, LiveSession } from '@jyutsing/contracts/live-recognition';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { toInt16 } from '@jyutsing/audio/encoding/sample-values';
import { createChannel } from '@jyutsing/concurrency/channel';
import { createFlowWindow } from '@jyutsing/concurrency/flow-window';
import type { LiveInput } from '#features/live/live-session.ts';

/** A session in the server, and what its process reports of it. */
export type SessionLink = {
  readonly session: LiveSession;
  event(event: LiveEvent): void;
  taken(samples: number): void;
  ended(): void;
  /** Ends the session; `events` throws the reason. */
  fail(reason: unknown): void;
};

/** Sound that a process has not yet taken, after which `write` waits: 5 s. */
const MAX_AHEAD_SAMPLES = 5 * RECOGNIZER_SAMPLE_RATE_HZ;
/** The longest sound in one message. */
const MESSAGE_SAMPLES = RECOGNIZER_SAMPLE_RATE_HZ;

/** Sends sound in order, never far ahead of the process; `onClose` is called once. */
export function createLiveSession(send: (input: LiveInput) => void, onClose: () => void): SessionLink {
  const events = createChannel<LiveEvent>();
  const ahead = createFlowWindow(MAX_AHEAD_SAMPLES - 1);
  let isClosed = false;
  /** Everything that was sent before, in order. */
  let lastSent: Promise<void> = Promise.resolve();

  const close = () => {
    if (isClosed) return;
    isClosed = true;
    ahead.open();
    onClose();
  };
  const inOrder = (action: () => Promise<void> | void): Promise<void> => (lastSent = lastSent.then(action));
  const sendSound = async (samples: Int16Array) => {
    for (let at = 0; at < samples.length; at += MESSAGE_SAMPLES) {
      await ahead.waitForRoom();
      if (isClosed) return;
      const part = samples.slice(at, at + MESSAGE_SAMPLES);
      ahead.add(part.length);
      send({ type: 'sound', samples: part });
    }
  };
  const order = (input: LiveInput) => void inOrder(() => (isClosed ? undefined : send(input)));

  return {
    session: {
      write: (samples) => inOrder(() => sendSound(samples instanceof Int16Array ? samples : toInt16(samples))),
      commit: () => order({ type: 'commit' }),
      clear: () => order({ type: 'clear' }),
      configure: (changes) => order({ type: 'configure', changes }),
      end: () => order({ type: 'end' }),
      events,
    },
    event: (event) => events.push(event),
    taken: ahead.take,
    ended() {
      events.close();
      close();
    },
    fail(reason) {
      events.fail(reason);
      close();
    },
  };
}
