import { VARIABLES } from './variables.ts';

const FAMILIES = /^(?:STT|TTS|LLM|YOUTUBE|MODELS|S3|WEBHOOKS|WORKER|VIDEO)_/;
/** More differences are another word rather than a slip. */
const MAX_EDITS = 2;

/**
 * One sentence for each variable that is set and looks like one of the service, but is none: a
 * misspelt name would otherwise be ignored without a trace.
 */
export function describeUnknownVariables(environment: NodeJS.ProcessEnv = process.env): string[] {
  const known = Object.keys(VARIABLES);
  return Object.keys(environment)
    .filter((name) => FAMILIES.test(name) && !known.includes(name))
    .map((name) => {
      const near = known.find((candidate) => editDistance(name, candidate) <= MAX_EDITS);
      const hint = near === undefined ? '.' : `; did you mean ${near}?`;
      return `${name} is not a variable of jyutsing and is ignored${hint}`;
    });
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
