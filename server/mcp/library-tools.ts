import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { InvalidRequestError, type Jyutsing, type ListedTranscription, type TextLanguage } from '@jyutsing/client';
import type { McpSurroundings } from './surroundings.ts';
import { openToolCall, refusalResult, textResult, withSignsOfLife } from './tool-call.ts';
import { linkTo } from './transcripts.ts';

/** `summarize` and `search`. */
export function addLibraryTools(server: McpServer, surroundings: McpSurroundings): void {
  addSummarizeTool(server, surroundings);
  addSearchTool(server, surroundings);
}

const SUMMARIZE = `Summarizes a YouTube video (url), a transcript of the account (request_id) or a text. Statements about a
transcript have the times at which it says so. Costs a summary credit.`;

function addSummarizeTool(server: McpServer, { client }: McpSurroundings): void {
  const inputSchema = {
    url: z.string().optional().describe('The address of a YouTube video.'),
    request_id: z.string().optional().describe('The id of a transcript.'),
    text: z.string().optional(),
    kind: z.enum(['summary', 'minutes', 'chapters']).optional().describe('Not for videos. Default: summary.'),
    language: z.string().optional().describe('cantonese (default), mandarin, english, japanese or korean.'),
  };
  server.registerTool(
    'summarize',
    {
      title: 'Summarize',
      description: SUMMARIZE,
      inputSchema,
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    async (options, extra) => {
      try {
        const call = openToolCall(extra);
        const summary = await withSignsOfLife(call, 'summarizing', summarize(client, options, call.signal));
        return textResult('summary' in summary ? summary.summary : summary.text, { ...summary });
      } catch (failure) {
        return refusalResult(failure);
      }
    },
  );
}

type Summarized = {
  url?: string | undefined;
  request_id?: string | undefined;
  text?: string | undefined;
  kind?: 'summary' | 'minutes' | 'chapters' | undefined;
  language?: string | undefined;
};

async function summarize(
  client: Jyutsing,
  { url, request_id: id, text, kind, language }: Summarized,
  signal: AbortSignal,
) {
  if ([url, id, text].filter((one) => one !== undefined).length !== 1) {
    const message = 'Give one of "url" (a video), "request_id" (a transcript) and "text".';
    throw new InvalidRequestError(message, { code: 'invalid_argument' });
  }
  if (url !== undefined) return client.summarize(url, { language, signal });
  const options = { kind, language: language as TextLanguage | undefined, signal };
  if (id !== undefined) return client.transcriptions.job(id).summary(options);
  return client.summarizeText(text ?? '', options);
}

/** Segments of a transcript that one answer shows are limited by the service itself. */
const MAX_FOUND = 100;

function addSearchTool(server: McpServer, { client }: McpSurroundings): void {
  const inputSchema = {
    query: z.string().describe('Words in either script, or jyutping; quotes keep words together.'),
    in: z.enum(['any', 'text', 'jyutping']).optional().describe('Default: any.'),
    newest: z.boolean().optional().describe('The newest first, not the best.'),
    limit: z.int().min(1).max(MAX_FOUND).optional().describe('Transcripts at most. Default: 10.'),
  };
  server.registerTool(
    'search',
    {
      title: 'Search the transcripts',
      description: 'Finds the transcripts of the account that contain all words, with the segments and their times.',
      inputSchema,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    async ({ query, in: where, newest, limit = 10 }, { signal }) => {
      try {
        const order = newest === true ? 'newest' : 'best';
        const found: ListedTranscription[] = [];
        for await (const one of client.transcriptions.search(query, { in: where, order, pageSize: limit, signal })) {
          found.push(one);
          if (found.length === limit) break;
        }
        const text = found.length === 0 ? 'Nothing was found.' : found.map(describe).join('\n\n');
        const links = found.map(({ request_id: id, title }) => linkTo(id, title));
        return { content: [{ type: 'text', text }, ...links], structuredContent: { transcriptions: found } };
      } catch (failure) {
        return refusalResult(failure);
      }
    },
  );
}

function describe({ request_id: id, title, created_at: created, matches = [] }: ListedTranscription): string {
  return [`${title ?? created} (${id})`, ...matches.map(({ start, text }) => `${start.toFixed(1)} s: ${text}`)].join(
    '\n',
  );
}
