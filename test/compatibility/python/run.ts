import { join } from 'node:path';
import { OWNER_KEY, startService, temporaryFolder } from '#testbed/service/service.ts';
import { freePort } from '#testbed/servers/free-port.ts';
import { createTable, outcomesOf, run, writeSentence, type Choice } from '../table.ts';

/**
 * The clients, each with what has to be installed for it; they are installed one after the other,
 * because some ask for versions of their own.
 */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  openai: ['openai[realtime]==3.57.0'],
  'openai-agents': ['openai-agents[voice]==0.24.0'],
  'deepgram-sdk': ['deepgram-sdk==7.17.0'],
  'deepgram-sdk-4': ['deepgram-sdk==4.8.1'],
  'deepgram-captions': ['deepgram-sdk==7.17.0', 'deepgram-captions==2.0.0'],
  deepctl: ['deepctl==0.4.0'],
  elevenlabs: ['elevenlabs==2.78.0'],
  wyoming: ['wyoming==1.10.2'],
  SpeechRecognition: ['openai==3.57.0', 'SpeechRecognition==3.17.0'],
  litellm: ['litellm==1.110.2'],
  'langchain-community': ['openai==3.57.0', 'pydub==0.25.1', 'langchain-community==0.4.2'],
  mcp: ['mcp==2.3.0'],
  'livekit-agents': ['livekit-plugins-openai==1.8.9', 'livekit-plugins-deepgram==1.8.9', 'livekit-agents==1.8.9'],
  'pipecat-ai': ['pipecat-ai[openai,deepgram]==1.14.0'],
  'wyoming-openai': ['wyoming-openai==0.8.0'],
  fastmcp: ['fastmcp==4.2.3'],
  'langchain-mcp-adapters': ['langchain-mcp-adapters==0.3.2'],
  // Last: it uses a part of pydantic that later ones have no more.
  'mcp-1.9': ['pydantic==2.11.7', 'mcp==1.9.4'],
};
/** PyPI has this package of the clients only as its sources. */
const SOURCES = 'docopt';
/** The bridge of Wyoming needs 3.12. */
const PYTHONS = ['python3.12', 'python3'];
/** The small ones, which are installed in seconds. */
const SHORT_FORM = ['openai', 'deepgram-sdk', 'mcp', 'wyoming'];

/**
 * Installs the Python clients from PyPI into a new environment (about 1.5 GB, the short form
 * 100 MB), runs each against a service and prints a table. Returns whether everything worked; a
 * client that cannot be installed has not.
 */
export async function runPython({ folder: environment, only, isShort }: Choice): Promise<boolean> {
  const names = only ?? (isShort ? SHORT_FORM : Object.keys(PROGRAMS));
  await using folder = await temporaryFolder();
  const venv = environment ?? join(folder.path, 'venv');
  const python = join(venv, 'bin', 'python');
  if (environment === null) await createEnvironment(venv);
  await writeSentence(folder.path);
  const wyoming = String(await freePort());
  const service = await startService(join(folder.path, 'data'), {
    WARM_UP: 'listen,live',
    WYOMING_PORT: wyoming,
    WYOMING_API_KEY: OWNER_KEY,
  });
  const table = createTable();
  try {
    for (const [name, packages] of Object.entries(PROGRAMS)) {
      if (!names.includes(name)) continue;
      const version = packages.at(-1)!;
      const missing = environment === null ? await install(python, packages) : null;
      const program = [
        join(import.meta.dirname, 'programs.py'),
        name,
        folder.path,
        service.baseUrl,
        OWNER_KEY,
        wyoming,
      ];
      table.add(
        name,
        version,
        missing === null ? await outcomesOf(python, program) : [{ does: 'install', got: `FAILED ${missing}` }],
      );
    }
  } finally {
    await service.stop();
  }
  return table.end();
}

/** Throws when no Python makes one. */
async function createEnvironment(venv: string): Promise<void> {
  for (const python of PYTHONS) {
    const made = await run(python, ['-m', 'venv', venv]).catch(() => null);
    if (made?.status === 0) return;
  }
  throw new Error(`None of ${PYTHONS.join(', ')} makes an environment.`);
}

/** Returns why packages cannot be installed; null when they are. */
async function install(python: string, packages: readonly string[]): Promise<string | null> {
  const options = ['-q', '--disable-pip-version-check', '--only-binary', ':all:', '--no-binary', SOURCES];
  const { status, output } = await run(python, ['-m', 'pip', 'install', ...options, ...packages]);
  return status === 0 ? null : (output.trim().split('\n').at(-1) ?? '');
}
