import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { temporaryFolder } from '#testbed/service/service.ts';
import { run } from './run.ts';

afterEach(() => void vi.restoreAllMocks());

/** Runs the command line in this process; returns its exit status and what it printed. */
async function jyutsing(...args: string[]): Promise<{ status: number; output: string; errors: string }> {
  const [output, errors] = [captured('stdout'), captured('stderr')];
  const status = await run(args, { enginesDir: SHIPPED_ENGINES_DIR });
  return { status, output: output.join(''), errors: errors.join('') };
}

function captured(stream: 'stdout' | 'stderr'): string[] {
  const texts: string[] = [];
  vi.spyOn(process[stream], 'write').mockImplementation((text) => {
    texts.push(String(text));
    return true;
  });
  return texts;
}

/** The command and all below it, as the help lists them. */
async function commandsBelow(...command: string[]): Promise<string[][]> {
  const { status, output } = await jyutsing(...command, '--help');
  expect([command, status]).toEqual([command, 0]);
  const listed = /^Commands:\n((?: .*\n)+)/m.exec(output)?.[1] ?? '';
  const names = [...listed.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => String(name)).filter((name) => name !== 'help');
  const below: string[][] = [];
  for (const name of names) below.push(...(await commandsBelow(...command, name)));
  return [command, ...below];
}

test('every command ends with status 2 for an unknown option, and for too many or missing arguments', async () => {
  const commands = await commandsBelow();
  expect(commands.length).toBeGreaterThan(20);
  for (const command of commands) {
    const usage = (await jyutsing(...command, '--help')).output.split('\n')[0] ?? '';
    const needed = [...usage.matchAll(/<\w+/g)].map(() => 'x');
    const wrong: string[][] = [['--no-such-option']];
    if (!usage.includes('...')) wrong.push([...needed, 'one', 'too', 'many']);
    if (needed.length > 0) wrong.push([]);
    for (const args of wrong) {
      const { status, output, errors } = await jyutsing(...command, ...args);
      expect([command, args, status, output]).toEqual([command, args, 2, '']);
      expect(errors).toMatch(/^(?:error: |Usage: )/);
    }
  }
});

test('a file in the place of the text to speak is asked about, whatever its name', async () => {
  await using folder = await temporaryFolder();
  for (const name of ['story.txt', 'my story.markdown', '故事.txt']) {
    const path = join(folder.path, name);
    await writeFile(path, '早晨');
    const { status, errors } = await jyutsing('speak', path);
    expect([status, errors]).toEqual([2, expect.stringContaining(`jyutsing speak --file '${path}'`)]);
  }
});
