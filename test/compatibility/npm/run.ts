import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER_KEY, startService, temporaryFolder } from '#testbed/service/service.ts';
import { createTable, outcomesOf, run, writeSentence } from '../table.ts';

const PACKAGES = {
  ai: '6.0.326',
  '@ai-sdk/openai': '3.0.141',
  '@ai-sdk/deepgram': '2.0.58',
  '@ai-sdk/elevenlabs': '2.0.58',
  '@ai-sdk/groq': '3.0.71',
  'groq-sdk': '1.6.0',
  '@elevenlabs/elevenlabs-js': '2.73.0',
};

/**
 * Installs the Vercel AI SDK with four providers, and the clients of ElevenLabs and Groq (about
 * 60 MB), runs them against a service and prints a table. Returns whether everything worked.
 * `installed`: a folder that has the packages.
 */
export async function runNpm(installed: string | null): Promise<boolean> {
  await using folder = await temporaryFolder();
  const programs = installed ?? join(folder.path, 'npm');
  if (installed === null) {
    await mkdir(programs);
    const manifest = { type: 'module', private: true, dependencies: PACKAGES };
    await writeFile(join(programs, 'package.json'), JSON.stringify(manifest));
    const { status, output } = await run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--no-update-notifier', '--ignore-scripts'],
      programs,
    );
    if (status !== 0) throw new Error(`The packages could not be installed: ${output.trim().slice(-500)}`);
  }
  const program = join(programs, 'jyutsing-compat.mjs');
  await copyFile(join(import.meta.dirname, 'program.js'), program);
  await writeSentence(folder.path);
  const service = await startService(join(folder.path, 'data'), { WARM_UP: 'listen' });
  const table = createTable();
  try {
    for (const name of Object.keys(PACKAGES).slice(1)) {
      const version = `${name}@${PACKAGES[name as keyof typeof PACKAGES]}`;
      const outcomes = await outcomesOf(process.execPath, [program, name, service.baseUrl, OWNER_KEY, folder.path]);
      table.add(name, version, outcomes);
    }
  } finally {
    await service.stop();
  }
  return table.end();
}
