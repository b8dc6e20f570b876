import { AppError } from '@jyutsing/contracts/errors';
import { unfinishedThought, withoutOpenThought } from '@jyutsing/text/normalization/thinking';
import { isSsml, MAX_SSML_LENGTH } from '@jyutsing/text/ssml/read-ssml';
import { controlFieldsOf } from '#http/deepgram/control-message.ts';
import { MAX_TEXT_CHARACTERS } from '#http/fields.ts';
import type { LiveProtocol, LiveSocket } from '#http/live/live-connections.ts';
import type { LiveClient } from '#http/live/live-stream.ts';
import { takeSentences, type SpeakTextDeps } from '#http/synthesis/speak-text.ts';
import { withoutThoughts } from '#http/synthesis/speech-text-field.ts';
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
  let text = '';
  let sequence = 0;

  const flush = () => {
    const rest = withoutThoughts(text);
    text = '';
    if (rest !== '') queue.speak(rest);
  };
  const add = (more: string) => {
    text = withoutOpenThought(text + more.toWellFormed());
    const isDocument = isSsml(text.trimStart());
    const limit = isDocument ? MAX_SSML_LENGTH : MAX_TEXT_CHARACTERS;
    if (text.length > limit) {
      // The rest of the thought is still to come.
      text = text.slice(unfinishedThought(text) ?? text.length);
      if (text.length > limit) throw new AppError('payload_too_large', 'Too many thoughts are within each other.');
      const description = `At most ${limit} characters may wait for a Flush; this text is left out.`;
      return send({ type: 'Warning', code: 'payload_too_large', description });
    }
    // SSML is read as a whole.
    if (!client.caller.plan.streamingTts || isDocument) return;
    const { sentences, rest } = takeSentences(text, null);
    text = rest;
    for (const sentence of sentences) queue.speak(sentence);
  };
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
      if (type === 'Speak' && typeof part === 'string') add(part);
      else if (type === 'Flush') {
        flush();
        acknowledge('Flushed');
      } else if (type === 'Clear') {
        text = '';
        queue.clear();
        acknowledge('Cleared');
      } else if (type === 'Close') close();
      else send({ type: 'Warning', code: 'invalid_request', description: UNKNOWN_MESSAGE });
      await queue.ready();
    },
    async finish() {
      flush();
      await queue.finish();
    },
    refuse: ({ code, message }) => send({ type: 'Error', code, description: message }),
    [Symbol.asyncDispose]: () => queue.end(),
  };
}
