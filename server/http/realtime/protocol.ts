import { AppError } from '@jyutsing/contracts/errors';
import { toAnswer } from '#http/errors.ts';
import type { LiveProtocol, LiveSocket } from '#http/live/live-connections.ts';
import { openLiveStream, type LiveClient, type LiveStreamDeps } from '#http/live/live-stream.ts';
import { modelNamed } from '#http/known-model.ts';
import type { ServerDeps } from '#http/deps.ts';
import { refusedEvents } from '#http/throttle.ts';
import { ClientEventError, LARGE_EVENT_BYTES, parseClientEvent, type ClientEvent } from './client-events.ts';
import { settingsOf, updateSession, viewBetaSession, viewSession, type TranscriptionSession } from './session.ts';
import { createEventTranslator, newId, type ServerEvent } from './transcription-events.ts';

export type RealtimeDeps = LiveStreamDeps & Pick<ServerDeps, 'models'>;

type Client = LiveClient & { initial: TranscriptionSession; isBeta: boolean };

/** OpenAI's code. Clients take it alone for harmless: any other error ends their stream. */
const EMPTY_COMMIT = 'input_audio_buffer_commit_empty';
const LOGPROBS = 'item.input_audio_transcription.logprobs';

/** OpenAI's events of a transcription session; `isBeta`: under the names of the beta. */
export function createRealtimeProtocol(deps: RealtimeDeps, client: Client, connection: LiveSocket): LiveProtocol {
  const { isBeta } = client;
  const id = newId('sess');
  const fixed = client.caller.fixedSession ?? {};
  let session = updateSession(client.initial, fixed);
  const send = (event: ServerEvent) => connection.send({ event_id: newId('event'), ...event });
  const sendSession = (what: 'created' | 'updated', asBeta: boolean) =>
    send(
      asBeta
        ? { type: `transcription_session.${what}`, session: { id, ...viewBetaSession(session) } }
        : { type: `session.${what}`, session: viewSession(id, session) },
    );
  const sendError = (
    error: AppError,
    place: { param?: string | null; event_id?: string | null; code?: string } = {},
  ) => {
    const { type, code, message } = error;
    send({ type: 'error', error: { type, code, message, param: null, event_id: null, ...place } });
  };
  const settings = (of: TranscriptionSession) =>
    settingsOf(of, (name) => modelNamed(deps.models, 'recognizer', name).name);

  const events = createEventTranslator(send, () => ({
    isBeta,
    withLogprobs: session.include?.includes(LOGPROBS) ?? false,
  }));
  const stream = openLiveStream(deps, client, settings(session), {
    onEvent: events.translate,
    onFailure: connection.fail,
  });

  const update = (event: Extract<ClientEvent, { session: unknown }>) => {
    try {
      const updated = updateSession(updateSession(session, event.session), fixed);
      stream.configure(settings(updated));
      session = updated;
    } catch (thrown) {
      throw new ClientEventError(toAnswer(thrown), 'session', event.eventId);
    }
    sendSession('updated', event.type === 'transcription_session.update');
  };
  const handle = async (event: ClientEvent) => {
    if ('session' in event) update(event);
    else if ('audio' in event) await stream.write(event.audio);
    else if (event.type === 'input_audio_buffer.clear') {
      if (stream.clear()) events.clear();
      send({ type: 'input_audio_buffer.cleared' });
    } else if (await stream.commit()) events.commit();
    else {
      const empty = new AppError('empty_audio', 'There is no audio to commit; append some first.');
      sendError(empty, { code: EMPTY_COMMIT, event_id: event.eventId });
    }
  };

  let isClosed = false;
  const closed = Promise.withResolvers<void>();

  sendSession('created', isBeta);
  return {
    async receive(message) {
      const isLarge = message.length > LARGE_EVENT_BYTES;
      // Waits for the time that refused events of all clients are given.
      if (isLarge) await Promise.race([refusedEvents.take(0), closed.promise]);
      if (isClosed) return;
      try {
        await handle(parseClientEvent(message));
      } catch (thrown) {
        if (!(thrown instanceof ClientEventError)) throw thrown;
        if (isLarge) void refusedEvents.take(message.length);
        sendError(thrown.error, { param: thrown.param, event_id: thrown.eventId });
      }
    },
    finish: stream.end,
    refuse: (error) => sendError(error),
    async [Symbol.asyncDispose]() {
      isClosed = true;
      closed.resolve();
      await stream[Symbol.asyncDispose]();
    },
  };
}
