import { controlFieldsOf } from '#http/deepgram/control-message.ts';
import type { LiveProtocol, LiveSocket } from '#http/live/live-connections.ts';
import type { LiveClient } from '#http/live/live-stream.ts';
import type { SpeakTextDeps } from '#http/synthesis/speak-text.ts';
import { createGrowingText } from './growing-text.ts';
import type { SpeakStreamQuery } from './query.ts';
import { createSpeechQueue } from './speech-queue.ts';

type Client = LiveClient & { query: SpeakStreamQuery; requestId: string };

const UNKNOWN_MESSAGE = 'Unknown message; send {"type": "Speak", "text": …}, "Flush", "Clear" or "Close".';

/**
 * Deepgram's messages for speech: text comes in parts, and is spoken sentence by sentence in its
 * order; what cannot be spoken is a `Warning`, and the connection goes on.
 */
export function createSpeakProtocol(
  deps: SpeakTextDeps,
  { requestId, ...client }: Client,
  connection: LiveSocket,
): LiveProtocol {
  const { send, close } = connection;
  const queue = createSpeechQueue(deps, client, connection);
  let sequence = 0;
  const text = createGrowingText(client.caller.plan.streamingTts, {
    speak: (sentence) => queue.speak(sentence),
    leaveOut: (description) => send({ type: 'Warning', code: 'payload_too_large', description }),
  });
  const acknowledge = (type: 'Flushed' | 'Cleared') => {
    queue.after(() => {
      send({ type, sequence_id: sequence });
      sequence += 1;
    });
  };

  const model = { model_name: client.query.model ?? 'jyutsing', model_version: '1', model_uuid: requestId };
  send({ type: 'Metadata', request_id: requestId, ...model });
  return {
    async receive(message, isBinary) {
      const fields = isBinary ? null : controlFieldsOf(message);
      const type = fields?.['type'];
      const part = fields?.['text'];
      if (type === 'Speak' && typeof part === 'string') text.add(part);
      else if (type === 'Flush') {
        text.flush();
        acknowledge('Flushed');
      } else if (type === 'Clear') {
        text.clear();
        queue.clear();
        acknowledge('Cleared');
      } else if (type === 'Close') close();
      else send({ type: 'Warning', code: 'invalid_request', description: UNKNOWN_MESSAGE });
      await queue.ready();
    },
    async finish() {
      text.flush();
      await queue.finish();
    },
    refuse: ({ code, message }) => send({ type: 'Error', code, description: message }),
    [Symbol.asyncDispose]: () => queue.end(),
  };
}
