import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER_KEY, startService, temporaryFolder } from '#testbed/service/service.ts';
import { createTable, outcomesOf, run, writeSentence, type Choice } from '../table.ts';

/** The clients that are run, by the name under which their package is installed. */
const CLIENTS: Readonly<Record<string, string>> = {
  openai: 'openai@7.59.0',
  openai6: 'openai@6.49.0',
  openai4: 'openai@4.104.0',
  'groq-sdk': 'groq-sdk@1.6.0',
  '@ai-sdk/openai': '@ai-sdk/openai@4.0.118',
  '@ai-sdk/deepgram': '@ai-sdk/deepgram@3.1.16',
  '@ai-sdk/elevenlabs': '@ai-sdk/elevenlabs@3.0.46',
  '@ai-sdk/groq': '@ai-sdk/groq@4.0.84',
  '@ai-sdk/azure': '@ai-sdk/azure@4.0.85',
  'ai6-openai': '@ai-sdk/openai@3.0.141',
  'ai6-deepgram': '@ai-sdk/deepgram@2.0.58',
  'ai6-elevenlabs': '@ai-sdk/elevenlabs@2.0.58',
  'ai6-groq': '@ai-sdk/groq@3.0.71',
  deepgram3: '@deepgram/sdk@3.13.0',
  deepgram4: '@deepgram/sdk@4.11.3',
  '@elevenlabs/elevenlabs-js': '@elevenlabs/elevenlabs-js@2.73.0',
  elevenlabs: 'elevenlabs@1.59.0',
  '@langchain/community': '@langchain/community@1.1.29',
  '@langchain/mcp-adapters': '@langchain/mcp-adapters@1.1.4',
  '@modelcontextprotocol/client': '@modelcontextprotocol/client@2.4.0',
  'mcp-sdk': '@modelcontextprotocol/sdk@1.32.2',
  'mcp-sdk-1.10': '@modelcontextprotocol/sdk@1.10.2',
  'mcp-remote': 'mcp-remote@0.15.1',
  '@ai-sdk/mcp': '@ai-sdk/mcp@2.0.99',
  '@openai/agents': '@openai/agents@0.20.0',
};
/** Peers are left out: one client wants the library of every vendor. */
const OPTIONS = ['--legacy-peer-deps', '--no-audit', '--no-fund', '--no-update-notifier', '--ignore-scripts'];
/** The packages that clients need beside themselves. */
const BESIDE: Readonly<Record<string, string>> = {
  ai: 'ai@7.0.173',
  ai6: 'ai@6.0.326',
  '@langchain/core': '@langchain/core@1.4.0',
  '@langchain/langgraph': '@langchain/langgraph@1',
};

/**
 * Installs clients of npm (about 500 MB), runs each against a service and prints a table. Returns
 * whether everything worked.
 */
export async function runNpm({ folder: installed, only }: Choice): Promise<boolean> {
  await using folder = await temporaryFolder();
  const programs = installed ?? join(folder.path, 'npm');
  if (installed === null) {
    await mkdir(programs);
    const packages = Object.entries({ ...CLIENTS, ...BESIDE });
    const dependencies = Object.fromEntries(packages.map(([name, version]) => [name, `npm:${version}`]));
    await writeFile(join(programs, 'package.json'), JSON.stringify({ type: 'module', private: true, dependencies }));
    const { status, output } = await run('npm', ['install', ...OPTIONS], { cwd: programs });
    if (status !== 0) throw new Error(`The packages could not be installed: ${output.trim().slice(-500)}`);
  }
  const sources = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.js'));
  for (const name of sources) await copyFile(join(import.meta.dirname, name), join(programs, name));
  const program = join(programs, 'program.js');
  await writeSentence(folder.path);
  const dataDir = join(folder.path, 'data');
  // The client of OpenAI opens no other sockets than encrypted ones.
  const service = await startService(dataDir, { WARM_UP: 'listen,live', TLS: 'self-signed' });
  const environment = { NODE_EXTRA_CA_CERTS: join(dataDir, 'self-signed-cert.pem') };
  const table = createTable();
  try {
    for (const [name, version] of Object.entries(CLIENTS)) {
      if (only !== null && !only.includes(name)) continue;
      const values = [program, name, service.baseUrl, OWNER_KEY, folder.path];
      table.add(name, version, await outcomesOf(process.execPath, values, environment));
    }
  } finally {
    await service.stop();
  }
  return table.end();
}
