import { controlFieldsOf } from '#http/deepgram/control-message.ts';
import type { LiveProtocol, LiveSocket } from '#http/live/live-connections.ts';
import type { LiveClient } from '#http/live/live-stream.ts';
import type { SpeakTextDeps } from '#http/synthesis/speak-text.ts';
import { SPEED_RANGE, type SpeakStreamQuery } from './query.ts';
import { createSpeechTurns } from './speech-turns.ts';

type Client = LiveClient & { query: SpeakStreamQuery; requestId: string };

const UNKNOWN_MESSAGE =
  'Unknown message; send {"type": "Speak", "text": …}, "Flush", "Interrupt", "Configure" or "Close".';
const SPEEDS_LISTED = `speed must be a number from ${SPEED_RANGE.min} to ${SPEED_RANGE.max}`;

/**
 * Deepgram's messages of /v2/speak (https://developers.deepgram.com/docs/flux-tts/state): as
 * /v1/speak, in turns that are reported, and may be interrupted.
 */
export function createTurnsProtocol(
  deps: SpeakTextDeps,
  { requestId, ...client }: Client,
  connection: LiveSocket,
): LiveProtocol {
  const { send, close } = connection;
  let { speed } = client.query;
  const turns = createSpeechTurns(deps, { ...client, speed: () => speed }, connection);
  const configure = (value: unknown) => {
    if (value != null) {
      const isInRange = typeof value === 'number' && value >= SPEED_RANGE.min && value <= SPEED_RANGE.max;
      if (!isInRange) {
        const failure = { code: 'SPEED_OUT_OF_RANGE', field: 'speed', value, description: SPEEDS_LISTED };
        return send({ type: 'ConfigureFailure', ...failure });
      }
      speed = value;
    }
    send({ type: 'ConfigureSuccess', applied: { speed } });
  };

  const model = { model_name: client.query.model ?? 'jyutsing', model_version: '1', model_uuids: [requestId] };
  send({ type: 'Connected', request_id: requestId, ...model });
  return {
    async receive(message, isBinary) {
      const fields = isBinary ? null : controlFieldsOf(message);
      const type = fields?.['type'];
      const part = fields?.['text'];
      if (type === 'Speak' && typeof part === 'string') turns.speak(part);
      else if (type === 'Flush') turns.complete();
      else if (type === 'Interrupt') turns.interrupt(fields?.['playback_offset']);
      else if (type === 'Configure') configure(fields?.['speed']);
      else if (type === 'Close') close();
      else send({ type: 'Warning', code: 'UNKNOWN_MESSAGE', description: UNKNOWN_MESSAGE });
      await turns.ready();
    },
    finish: () => turns.finish(),
    refuse: ({ code, message }) => send({ type: 'Error', code, description: message }),
    [Symbol.asyncDispose]: () => turns.end(),
  };
}
