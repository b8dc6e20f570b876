import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { stdin } from 'node:process';
import type { Command } from 'commander';
import { InvalidRequestError } from '@jyutsing/client';
import manifest from '../package.json' with { type: 'json' };
import { connect } from './connection.ts';

const FILE_MEANING = 'The path of a recording or video on this computer.';

/** `mcp`. */
export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('serve the Model Context Protocol on standard input and output, for an assistant on this computer')
    .addHelpText(
      'after',
      `
Settings of an assistant:
  {"mcpServers": {"jyutsing": {"command": "jyutsing", "args": ["mcp", "--url", "http://localhost:8080", "--key", "…"]}}}`,
    )
    .action(async (_options: object, command: Command) => {
      // Loaded for this command alone.
      const [{ StdioServerTransport }, { createMcpServer }, { sendAgreedContents }] = await Promise.all([
        import('@modelcontextprotocol/sdk/server/stdio.js'),
        import('#server/mcp/create-mcp-server.ts'),
        import('#server/mcp/agreed-contents.ts'),
      ]);
      await using connection = await connect(command);
      const { client, signal } = connection;
      const server = createMcpServer({
        client,
        version: manifest.version,
        fileMeaning: FILE_MEANING,
        openFile: (path) => resolve(path),
        saveFile: writeSound,
      });
      const transport = new StdioServerTransport();
      sendAgreedContents(transport, null);
      await server.connect(transport);
      // An assistant ends its servers by closing their input.
      await Promise.race([once(stdin, 'end', { signal }), once(stdin, 'close', { signal })]).catch(() => {});
      await server.close();
      signal.throwIfAborted();
    });
}

async function writeSound(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(resolve(path), bytes).catch((cause: NodeJS.ErrnoException) => {
    const message = `The file ${path} cannot be written (${cause.code ?? cause.message}).`;
    throw new InvalidRequestError(message, { code: 'unwritable_file', cause });
  });
}
