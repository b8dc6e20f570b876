import { ConnectionError } from '#client/errors.ts';

/** An event of a `text/event-stream`; `data` is its parsed JSON. */
export type ServerSentEvent = { name: string; data: unknown };

/**
 * Yields the events in the bytes of a response
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html). A started event without its end
 * is dropped, as the standard demands.
 */
export async function* readEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of pieces) {
    text += decoder.decode(piece, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event !== null) yield event;
    }
  }
}

/** Parses an event; null for a comment, which only keeps the connection open. */
function parseBlock(block: string): ServerSentEvent | null {
  let name = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') name = value;
    else if (field === 'data') data.push(value);
  }
  if (data.length === 0) return null;
  try {
    return { name, data: JSON.parse(data.join('\n')) as unknown };
  } catch (cause) {
    throw new ConnectionError('The server sent an event that is not JSON.', { code: 'incomplete_answer', cause });
  }
}
