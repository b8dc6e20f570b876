// `npm run figures`: the structure of this repository in numbers, measured from its files.
// `npm run figures -- --check` fails when a goal of figures/goals.ts is exceeded.
// `npm run figures -- --list comments [PATH]` lists what a goal counts, with file and line.
import { parseArgs } from 'node:util';
import { GOALS, measureGoal } from './figures/goals.ts';
import { printFigures } from './figures/print.ts';
import { readRepository } from './figures/repository.ts';

/** Number of findings that are printed; `--list` shows all. */
const SHOWN_FINDINGS = 20;

const { values, positionals } = parseArgs({
  options: { list: { type: 'string' }, check: { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (values.list !== undefined) listFindings(values.list, positionals[0] ?? '');
else if (values.check) checkGoals();
else printFigures(readRepository());

function listFindings(list: string, below: string): void {
  const goal = GOALS.find((candidate) => candidate.list === list);
  if (goal === undefined) {
    console.error(`--list takes one of: ${GOALS.flatMap(({ list: name }) => name ?? []).join(', ')}`);
    process.exitCode = 1;
    return;
  }
  const folder = below.replace(/^\.\//, '').replace(/\/$/, '');
  const isBelow = (finding: string) =>
    folder === '' || finding.startsWith(`${folder}/`) || finding.startsWith(`${folder}:`);
  const findings = measureGoal(goal, readRepository()).findings.filter(isBelow);
  for (const finding of findings) console.log(finding);
  console.log(`${findings.length} found`);
}

function checkGoals(): void {
  const repository = readRepository();
  for (const goal of GOALS) {
    const { value, findings } = measureGoal(goal, repository);
    if (value <= goal.max) continue;
    process.exitCode = 1;
    console.log(`${goal.name}: ${value}, at most ${goal.max}`);
    for (const finding of findings.slice(0, SHOWN_FINDINGS)) console.log(`  ${finding}`);
    if (findings.length > SHOWN_FINDINGS) console.log(`  and ${findings.length - SHOWN_FINDINGS} more`);
  }
}
