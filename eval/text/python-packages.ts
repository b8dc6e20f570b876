import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AppError } from '@jyutsing/contracts/errors';

/** The largest answer of the packages, in bytes. */
const MAX_ANSWER = 2 ** 28;

/**
 * Asks packages of PyPI about each text: name and version → answers. The script beside this file
 * takes a text a line and prints that as JSON.
 */
export function answersOfPackages<Answer>(
  python: string,
  script: string,
  texts: readonly string[],
): [name: string, answers: Answer[]][] {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { status, stdout, stderr } = spawnSync(python, [path], {
    input: texts.join('\n'),
    encoding: 'utf8',
    maxBuffer: MAX_ANSWER,
  });
  if (status !== 0) throw new AppError('invalid_request', `The script ${script} did not run with ${python}: ${stderr}`);
  return Object.entries(JSON.parse(stdout) as Record<string, Answer[]>);
}
