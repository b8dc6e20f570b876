import { expect, it } from 'vitest';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { sendAgreedContents, UNNAMED_VERSION } from './agreed-contents.ts';

const LINK = { type: 'resource_link', uri: 'jyutsing://transcripts/1', name: '早會' };
const AUDIO = { type: 'audio', data: 'UklG', mimeType: 'audio/wav' };
const content = [{ type: 'text', text: '早晨' }, LINK, AUDIO];

/** The contents that a client receives after the answer that names a version. */
async function received(version: string | null, answered: string): Promise<unknown[]> {
  const messages: JSONRPCMessage[] = [];
  const transport: Transport = {
    async start() {},
    async close() {},
    async send(message) {
      messages.push(message);
    },
  };
  sendAgreedContents(transport, version);
  await transport.send({ jsonrpc: '2.0', id: 1, result: { protocolVersion: answered } });
  await transport.send({ jsonrpc: '2.0', method: 'notifications/progress', params: {} });
  await transport.send({ jsonrpc: '2.0', id: 2, result: { content } });
  return (messages[2] as unknown as { result: { content: unknown[] } }).result.content;
}

it.each([
  ['2024-11-05', ['text', 'text', 'resource']],
  ['2025-03-26', ['text', 'text', 'audio']],
  ['2025-06-18', ['text', 'resource_link', 'audio']],
  ['2025-11-25', ['text', 'resource_link', 'audio']],
])('a client of %s receives contents that it knows', async (version, kinds) => {
  const parts = (await received(null, version)) as { type: string }[];
  expect(parts.map(({ type }) => type)).toEqual(kinds);
});

it('nothing is lost in the older kinds', async () => {
  const [, link, sound] = await received(null, '2024-11-05');
  expect(link).toEqual({ type: 'text', text: LINK.uri });
  expect(sound).toMatchObject({ resource: { mimeType: AUDIO.mimeType, blob: AUDIO.data } });
});

it('a version that the request names counts, whatever an answer says', async () => {
  expect(await received(UNNAMED_VERSION, '2025-11-25')).toContainEqual(AUDIO);
  expect(await received(UNNAMED_VERSION, '2025-11-25')).not.toContainEqual(LINK);
});
