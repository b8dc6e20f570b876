import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { AppError } from '@jyutsing/contracts/errors';
import { createChannelSplitter } from '#features/live/sound-input.ts';
import { modelNamed } from '#http/known-model.ts';
import type { LiveProtocol, LiveSocket } from '#http/live/live-connections.ts';
import type { LiveClient } from '#http/live/live-stream.ts';
import type { RealtimeDeps } from '#http/realtime/protocol.ts';
import { withFixedSession } from '#http/realtime/session.ts';
import { openListenChannel } from './listen-channel.ts';
import { settingsOf, type ListenQuery } from './query.ts';

type Client = LiveClient & { query: ListenQuery; requestId: string };

/** Longer texts are not parsed: they could take a hundred times their size in memory. */
const MAX_CONTROL_BYTES = 4_096;
const UNKNOWN_MESSAGE =
  'Unknown message; send {"type": "KeepAlive"}, "Finalize" or "CloseStream", of at most 4,096 bytes.';

/**
 * Deepgram's messages: audio comes in binary, control messages and results are JSON. With
 * `multichannel` each channel is recognized for itself, and the first pays for the sound of all.
 */
export function createListenProtocol(deps: RealtimeDeps, client: Client, connection: LiveSocket): LiveProtocol {
  const { query, requestId, ...listener } = client;
  const { send } = connection;
  const knownModel = (name: string) => modelNamed(deps.models, 'recognizer', name).name;
  const settings = withFixedSession(settingsOf(query, knownModel), client.caller.fixedSession, knownModel);
  const { format } = settings;
  const isSplit = query.multichannel && 'sampleRateHz' in format;
  const count = isSplit ? format.channels : 1;
  const split = isSplit ? createChannelSplitter(format) : (bytes: Uint8Array) => [bytes];
  const channels = Array.from({ length: count }, (_, number) => {
    const source = {
      client: number === 0 ? listener : { ...listener, isCharged: false as const },
      settings: isSplit ? { ...settings, format: { ...format, channels: 1 } } : settings,
      channel: [number, count] as const,
    };
    return openListenChannel(deps, { ...source, query, requestId }, connection);
  });

  return {
    async receive(message, isBinary) {
      if (isBinary) {
        let number = 0;
        for (const bytes of split(message)) {
          await channels[number]?.write(bytes);
          number += 1;
          await yieldToEventLoop();
        }
        return;
      }
      const type = controlTypeOf(message);
      if (type === 'Finalize') for (const channel of channels) await channel.commit();
      else if (type === 'CloseStream') connection.close();
      else if (type !== 'KeepAlive') throw new AppError('invalid_request', UNKNOWN_MESSAGE);
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

function controlTypeOf(message: Buffer): unknown {
  if (message.length > MAX_CONTROL_BYTES) return null;
  try {
    return (JSON.parse(message.toString('utf8')) as { type?: unknown } | null)?.type;
  } catch {
    return null;
  }
}
