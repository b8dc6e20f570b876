import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommandHere } from '#test/command-here.ts';
import { temporaryFolder } from '#testbed/service/service.ts';

const run = promisify(execFile);

const scripts: Record<string, string> = {};
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const fileOf = (shell: string) => join(folder.path, shell);
afterAll(() => folder[Symbol.asyncDispose]());
beforeAll(async () => {
  folder = await temporaryFolder();
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { output } = await runCommandHere(['completion', shell]);
    scripts[shell] = output;
    await writeFile(fileOf(shell), output);
  }
});

/** Returns the completions that bash offers for a line whose last word is being typed. */
async function offeredByBash(line: string): Promise<string[]> {
  const words = line.split(' ');
  // In place of the command, which would start a service of its own.
  const program = `source ${fileOf('bash')}
jyutsing() { printf '%s\\n' "name kind" "$1-one x" "$1-two y"; }
COMP_WORDS=(${words.map((word) => `"${word}"`).join(' ')})
COMP_CWORD=${words.length - 1}
_jyutsing
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return (await run('bash', ['--norc', '-c', program])).stdout.trim().split('\n');
}

test.each([
  ['jyutsing tr', ['transcribe']],
  ['jyutsing corpora ', ['list', 'show', 'import', 'delete', 'deck']],
  ['jyutsing corpora im', ['import']],
  ['jyutsing transcribe a.wav --dia', ['--diarize', '--diarization-threshold']],
  ['jyutsing transcribe --format ', ['txt', 'srt', 'vtt', 'json']],
  ['jyutsing transcribe --format v', ['vtt']],
  ['jyutsing voices list --ur', ['--url']],
  ['jyutsing completion ', ['bash', 'zsh', 'fish']],
  ['jyutsing speak --voice ', ['voices-one', 'voices-two']],
  ['jyutsing speak --corpora corpora-t', ['corpora-two']],
  ['jyutsing models pull m', ['models-one', 'models-two']],
  ['jyutsing usage accounts-o', ['accounts-one']],
  ['jyutsing usage --js', ['--json']],
])('bash completes "%s"', async (line, expected) => {
  const offered = await offeredByBash(line);
  expect(line.endsWith(' ') ? offered.slice(0, expected.length) : offered).toEqual(expected);
});

test('bash uses the script for the command, and file names where nothing else fits', async () => {
  const { stdout } = await run('bash', ['--norc', '-c', `source ${fileOf('bash')}; complete -p jyutsing`]);
  expect(stdout).toBe('complete -o default -F _jyutsing jyutsing\n');
});

test('fish asks for names when they are needed', () => {
  const names = `(jyutsing voices list 2>/dev/null | tail -n +2 | cut -d \\' \\' -f 1)`;
  expect(scripts['fish']).toContain(`-l voice -x -a '${names}' -d`);
});

test('the scripts name every command, with its description in fish', () => {
  for (const name of ['transcribe', 'watch', 'speak', 'score', 'summarize', 'search', 'listen', 'doctor', 'usage']) {
    expect(scripts['zsh']).toContain(`" ${name}"`);
    expect(scripts['fish']).toMatch(
      new RegExp(`^complete -c jyutsing -f -n '__fish_use_subcommand' -a ${name} -d '.+'$`, 'm'),
    );
  }
});

// Other shells are no part of a development machine.
for (const shell of ['zsh', 'fish'].filter((name) => existsSync(`/usr/bin/${name}`))) {
  test(`${shell} reads its script without complaint`, async () => {
    expect((await run(shell, ['-c', `source ${fileOf(shell)}`])).stderr).toBe('');
  });
}
