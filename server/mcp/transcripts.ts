import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ErrorCode, McpError, type ResourceLink } from '@modelcontextprotocol/sdk/types.js';
import { JyutsingError, NotFoundError } from '@jyutsing/client';
import type { McpSurroundings } from './surroundings.ts';

const ADDRESS = 'jyutsing://transcripts/';
/** The transcripts of a list; older ones are found by the tool `search`. */
const MAX_LISTED = 100;

/** The code of the specification for a resource that does not exist. */
const RESOURCE_NOT_FOUND = -32_002;

const FORMATS = { txt: 'text/plain', srt: 'application/x-subrip', vtt: 'text/vtt', md: 'text/markdown' } as const;
type Format = keyof typeof FORMATS;

/** Refers to a transcript as a resource, so that a client can show or read it later. */
export function linkTo(id: string, title: string | undefined): ResourceLink {
  return { type: 'resource_link', uri: ADDRESS + id, name: title ?? id, mimeType: FORMATS.txt };
}

/** The completed transcripts of the account as resources: the text, or subtitles and Markdown. */
export function addTranscripts(server: McpServer, { client }: McpSurroundings): void {
  const read = async (uri: URL, id: string, format: Format, signal: AbortSignal) => {
    try {
      const text = await client.transcriptions.job(id)[format]({ signal });
      return { contents: [{ uri: uri.href, mimeType: FORMATS[format], text }] };
    } catch (failure) {
      throw protocolError(failure);
    }
  };
  const list = async ({ signal }: { signal: AbortSignal }) => {
    const resources = [];
    try {
      const newest = client.transcriptions.list({ status: 'completed', pageSize: MAX_LISTED, signal });
      for await (const { request_id: id, title, created_at: created, duration_s: seconds } of newest) {
        const { uri, name, mimeType } = linkTo(id, title);
        resources.push({ uri, name, mimeType, description: `${created}, ${Math.round(seconds)} s` });
        if (resources.length === MAX_LISTED) break;
      }
    } catch (failure) {
      throw protocolError(failure);
    }
    return { resources };
  };
  server.registerResource(
    'transcript',
    new ResourceTemplate(`${ADDRESS}{request_id}`, { list }),
    { title: 'Transcript', description: 'The text of a recording.', mimeType: FORMATS.txt },
    (uri, { request_id: id }, { signal }) => read(uri, String(id), 'txt', signal),
  );
  server.registerResource(
    'transcript-file',
    new ResourceTemplate(`${ADDRESS}{request_id}/{format}`, { list: undefined }),
    { title: 'Transcript as a file', description: 'The format is txt, srt, vtt or md.' },
    (uri, { request_id: id, format }, { signal }) => {
      const name = String(format);
      if (!Object.hasOwn(FORMATS, name))
        throw new McpError(RESOURCE_NOT_FOUND, `A transcript has no format "${name}".`);
      return read(uri, String(id), name as Format, signal);
    },
  );
}

/** Resources have no results with errors: a refusal of the service becomes one of the protocol. */
function protocolError(failure: unknown): unknown {
  if (!(failure instanceof JyutsingError)) return failure;
  const { message, code } = failure;
  if (failure instanceof NotFoundError) return new McpError(RESOURCE_NOT_FOUND, message);
  const isServerFault = (failure.status ?? 500) >= 500;
  return new McpError(isServerFault ? ErrorCode.InternalError : ErrorCode.InvalidRequest, message, { code });
}
