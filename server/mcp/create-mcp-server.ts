import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { addLanguageTools } from './language-tools.ts';
import { addLibraryTools } from './library-tools.ts';
import type { McpSurroundings } from './surroundings.ts';
import { addTranscribeTool } from './transcribe-tool.ts';
import { addTranscripts } from './transcripts.ts';

const INSTRUCTIONS = `A speech service for Cantonese, Mandarin and English. Recordings become transcripts that stay in the account: they
can be searched, summarized, and read as resources. Refusals say what to change.`;

/**
 * The tools and resources of the Model Context Protocol (https://modelcontextprotocol.io) for one
 * client. They call the documented HTTP interface, so that keys, scopes, limits, quotas and answers
 * are those of every other client.
 */
export function createMcpServer(surroundings: McpSurroundings): McpServer {
  const { version } = surroundings;
  const server = new McpServer({ name: 'jyutsing', title: 'Jyutsing', version }, { instructions: INSTRUCTIONS });
  addTranscribeTool(server, surroundings);
  addLanguageTools(server, surroundings);
  addLibraryTools(server, surroundings);
  addTranscripts(server, surroundings);
  return server;
}
