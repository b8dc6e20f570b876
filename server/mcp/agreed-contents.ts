import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult, JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

type Content = CallToolResult['content'][number];

/** The version that a client speaks over HTTP when it names none, by the specification. */
export const UNNAMED_VERSION = '2025-03-26';
/** The versions that brought a kind of content, which clients of older ones refuse. */
const LINKS_SINCE = '2025-06-18';
const AUDIO_SINCE = '2025-03-26';

/**
 * Sends results of tools with the kinds of contents of the version that was agreed; what it does
 * not know becomes one that it does. `version`: null until the answer to `initialize` says it.
 */
export function sendAgreedContents(transport: Transport, version: string | null): void {
  const send = transport.send.bind(transport);
  let agreed = version;
  transport.send = (message, options) => {
    agreed ??= agreedIn(message);
    return send(agreed === null ? message : withContentsOf(agreed, message), options);
  };
}

function agreedIn(message: JSONRPCMessage): string | null {
  const version = 'result' in message ? message.result['protocolVersion'] : null;
  return typeof version === 'string' ? version : null;
}

function withContentsOf(version: string, message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message) || !Array.isArray(message.result['content'])) return message;
  const content = (message.result['content'] as Content[]).map((part) => contentOf(version, part));
  return { ...message, result: { ...message.result, content } };
}

function contentOf(version: string, part: Content): Content {
  if (part.type === 'resource_link' && version < LINKS_SINCE) return { type: 'text', text: part.uri };
  if (part.type !== 'audio' || version >= AUDIO_SINCE) return part;
  const { data: blob, mimeType } = part;
  return { type: 'resource', resource: { uri: 'jyutsing://speech', mimeType, blob } };
}
