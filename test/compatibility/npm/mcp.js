import { readFileSync } from 'node:fs';
import { apiKey, attempt, name, recording, TEXT, url } from './harness.js';

const address = `${url}/mcp`;
const headers = { authorization: `Bearer ${apiKey}` };
const FILE = { file: readFileSync(recording).toString('base64'), language: 'cantonese' };

/** The calls of one client: `tools` lists them, `call` returns the parts of an answer. */
async function useTools({ tools, call }) {
  const first = async (tool, values) => (await call(tool, values)).find(({ type }) => type === 'text').text;
  await attempt('tools', async () => `${await tools()} tools`);
  await attempt('file', () => first('transcribe', FILE));
  await attempt('readings', () => first('jyutping', { text: TEXT }));
  await attempt('speech', async () => {
    const sound = (await call('speak', { text: TEXT })).find(({ type }) => type === 'audio');
    return `${sound.data.length} characters of sound`;
  });
}

/** The protocol's own client, in one of its versions. */
async function official(client, transport, options) {
  await client.connect(transport, options);
  await useTools({
    tools: async () => (await client.listTools()).tools.length,
    call: async (tool, values) => (await client.callTool({ name: tool, arguments: values })).content,
  });
  await attempt('file as a resource', async () => {
    const { resources } = await client.listResources();
    return (await client.readResource({ uri: resources[0].uri })).contents[0].text;
  });
  await attempt('file, with progress', async () => {
    const reports = [];
    const params = { name: 'transcribe', arguments: { ...FILE, format: 'srt' } };
    const answer = await (name === '@modelcontextprotocol/client'
      ? client.callTool(params, { onprogress: (report) => reports.push(report) })
      : client.callTool(params, undefined, { onprogress: (report) => reports.push(report) }));
    if (reports.length === 0) throw new Error('no progress');
    return answer.content[0].text;
  });
  // The server has no sessions to end; clients take its 405 for that.
  if ('terminateSession' in transport) await attempt('end', async () => `${await transport.terminateSession()}`);
  await client.close();
}

const WHO = { name: 'test', version: '1' };

async function sdk1() {
  const { Client } = await import(`${name}/client/index.js`);
  const { StreamableHTTPClientTransport } = await import(`${name}/client/streamableHttp.js`);
  await official(
    new Client(WHO, {}),
    new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }),
  );
}

async function sdk2() {
  const { Client, StreamableHTTPClientTransport } = await import(name);
  await official(new Client(WHO), new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }));
}

/** The bridge for assistants that only start programs. */
async function remote() {
  const { Client } = await import('mcp-sdk/client/index.js');
  const { StdioClientTransport } = await import('mcp-sdk/client/stdio.js');
  const bridge = new URL('./node_modules/mcp-remote/dist/proxy.js', import.meta.url).pathname;
  const options = ['--allow-http', '--header', `Authorization: Bearer ${apiKey}`];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bridge, address, ...options],
    env: process.env,
    stderr: 'ignore',
  });
  await official(new Client(WHO, {}), transport);
}

async function aiSdk() {
  const { createMCPClient } = await import(name);
  const client = await createMCPClient({ transport: { type: 'http', url: address, headers } });
  const tools = await client.tools();
  await useTools({
    tools: async () => Object.keys(tools).length,
    call: async (tool, values) => (await tools[tool].execute(values, { toolCallId: '1', messages: [] })).content,
  });
  await client.close();
}

async function langchain() {
  const { MultiServerMCPClient } = await import(name);
  const client = new MultiServerMCPClient({
    mcpServers: { jyutsing: { transport: 'http', url: address, headers } },
    outputHandling: 'content',
  });
  const tools = await client.getTools();
  await attempt('tools', async () => `${tools.length} tools`);
  const invoke = (wanted, values) => tools.find((tool) => tool.name === wanted).invoke(values);
  await attempt('file', async () => JSON.stringify(await invoke('transcribe', FILE)));
  await attempt('readings', async () => JSON.stringify(await invoke('jyutping', { text: TEXT })));
  await client.close();
}

async function agents() {
  const { MCPServerStreamableHttp } = await import(name);
  const server = new MCPServerStreamableHttp({ url: address, name: 'jyutsing', requestInit: { headers } });
  await server.connect();
  await useTools({
    tools: async () => (await server.listTools()).length,
    call: (tool, values) => server.callTool(tool, values),
  });
  await server.close();
}

export const programs = {
  'mcp-sdk': sdk1,
  'mcp-sdk-1.10': sdk1,
  '@modelcontextprotocol/client': sdk2,
  'mcp-remote': remote,
  '@ai-sdk/mcp': aiSdk,
  '@langchain/mcp-adapters': langchain,
  '@openai/agents': agents,
};
