import { z } from 'zod';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { createChannelSplitter } from '#features/live/sound-input.ts';
import { modelNamed } from '#http/known-model.ts';
import type { LiveProtocol, LiveSocket } from '#http/live/live-connections.ts';
import type { LiveClient, LiveSettings } from '#http/live/live-stream.ts';
import type { RealtimeDeps } from '#http/realtime/protocol.ts';
import { withFixedSession } from '#http/realtime/session.ts';
import { controlFieldsOf } from './control-message.ts';
import { openListenChannel } from './listen-channel.ts';
import { keyterms, settingsOf, type ListenQuery } from './query.ts';

type Client = LiveClient & { query: ListenQuery; requestId: string };

const MAX_ECHO_CHARACTERS = 500;
const UNKNOWN_MESSAGE = 'Unknown message; send {"type": "KeepAlive"}, "Finalize", "Configure" or "CloseStream".';

const Configure = z.object({
  keyterms: keyterms.nullish(),
  features: z.record(z.string(), z.boolean()).nullish(),
});

/**
 * Deepgram's messages: audio comes in binary, control messages and results are JSON. With
 * `multichannel` each channel is recognized for itself, and the first pays for the sound of all.
 */
export function createListenProtocol(deps: RealtimeDeps, client: Client, connection: LiveSocket): LiveProtocol {
  const { query, requestId, ...listener } = client;
  const { send } = connection;
  const knownModel = (name: string) => modelNamed(deps.models, 'recognizer', name).name;
  const settingsFor = (chosen: ListenQuery) =>
    withFixedSession(settingsOf(chosen, knownModel), client.caller.fixedSession, knownModel);
  const settings = settingsFor(query);
  const { format } = settings;
  const isSplit = query.multichannel && 'sampleRateHz' in format;
  const ofChannel = (whole: LiveSettings): LiveSettings =>
    isSplit ? { ...whole, format: { ...format, channels: 1 } } : whole;
  const count = isSplit ? format.channels : 1;
  const split = isSplit ? createChannelSplitter(format) : (bytes: Uint8Array) => [bytes];
  const channels = Array.from({ length: count }, (_, number) => {
    const source = {
      client: number === 0 ? listener : { ...listener, isCharged: false as const },
      settings: ofChannel(settings),
      channel: [number, count] as const,
    };
    return openListenChannel(deps, { ...source, query, requestId }, connection);
  });

  let applied = query;
  const configure = (fields: Record<string, unknown>) => {
    const { data: changes } = Configure.safeParse(fields);
    if (changes === undefined) {
      const isTooMuch = Array.isArray(fields['keyterms']);
      const code = isTooMuch ? 'CONFIGURE_KEYTERM_LIMIT_EXCEEDED' : 'CONFIGURE_INTERNAL_ERROR';
      const description = 'At most 500 "keyterms" of 200 characters; each of "features" must be true or false.';
      return send({ type: 'ConfigureFailure', request_id: requestId, code, description });
    }
    const { keyterms: terms, features } = changes;
    applied = {
      ...applied,
      ...(terms == null ? {} : { keyterm: terms }),
      numerals: features?.['numerals'] ?? applied.numerals,
      smart_format: features?.['smart_format'] ?? applied.smart_format,
    };
    for (const channel of channels) channel.configure(ofChannel(settingsFor(applied)));
    send({ type: 'ConfigureSuccess', request_id: requestId, ...(terms == null ? {} : { keyterms: terms }) });
  };

  return {
    async receive(message, isBinary) {
      // How streams ended before there was `CloseStream`; clients without a library still do.
      if (isBinary && message.length === 0) return connection.close();
      if (isBinary) {
        let number = 0;
        for (const bytes of split(message)) {
          await channels[number]?.write(bytes);
          number += 1;
          await yieldToEventLoop();
        }
        return;
      }
      const fields = controlFieldsOf(message);
      const type = fields?.['type'];
      if (type === 'Finalize') for (const channel of channels) await channel.commit();
      else if (type === 'CloseStream') connection.close();
      else if (type === 'Configure' && fields !== null) configure(fields);
      else if (type !== 'KeepAlive') {
        const echo = message.toString('utf8', 0, MAX_ECHO_CHARACTERS);
        send({ type: 'Error', variant: 'SchemaError', description: UNKNOWN_MESSAGE, message: echo });
      }
    },
    async finish() {
      await Promise.all(channels.map((channel) => channel.finish()));
      const created = new Date().toISOString();
      const length = { duration: channels[0]?.seconds() ?? 0, channels: query.channels };
      send({ type: 'Metadata', transaction_key: 'deprecated', request_id: requestId, sha256: '', created, ...length });
    },
    refuse: ({ code, message }) => send({ type: 'Error', code, description: message }),
    async [Symbol.asyncDispose]() {
      await Promise.all(channels.map((channel) => channel[Symbol.asyncDispose]()));
    },
  };
}
