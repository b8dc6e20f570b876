import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { scanJson, type JsonLimits, type JsonOutline, type LongList } from './json-outline.ts';

/** Scans a JSON text as `outlineJson` does, with turns for other work of the process. */
export async function outlineJsonInTurns(
  text: string,
  limits: JsonLimits,
): Promise<JsonOutline & { lists: LongList[] }> {
  const steps = scanJson(text, limits);
  for (;;) {
    await yieldToEventLoop();
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * Parses a JSON text whose long lists were found by `outlineJsonInTurns`: these in parts, with
 * turns for other work of the process. Throws SyntaxError as `JSON.parse` does.
 */
export async function parseJsonInTurns(text: string, lists: readonly LongList[]): Promise<unknown> {
  const contents: unknown[][] = [];
  let short = '';
  let end = 0;
  for (const [index, list] of lists.entries()) {
    contents.push(await contentsOf(text, list));
    short += `${text.slice(end, list.open)}[${index}]`;
    end = list.close + 1;
  }
  await yieldToEventLoop();
  const value: unknown = JSON.parse(short + text.slice(end));
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  for (const [index, { name }] of lists.entries()) {
    const field = JSON.parse(name) as string;
    // The later of two fields with the same name counts.
    const present = Object.hasOwn(fields, field) ? fields[field] : null;
    if (Array.isArray(present) && present.length === 1 && present[0] === index) fields[field] = contents[index];
  }
  return value;
}

async function contentsOf(text: string, { open, cuts, close }: LongList): Promise<unknown[]> {
  if (text[close] !== ']') throw new SyntaxError('A list does not end as a list.');
  const contents: unknown[] = [];
  let start = open + 1;
  for (const end of [...cuts, close]) {
    await yieldToEventLoop();
    const part = JSON.parse(`[${text.slice(start, end)}]`) as unknown[];
    if (part.length === 0) throw new SyntaxError('A list has nothing beside a comma.');
    for (const value of part) contents.push(value);
    start = end + 1;
  }
  return contents;
}
