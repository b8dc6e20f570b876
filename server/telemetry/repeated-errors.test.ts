import { expect, it } from 'vitest';
import { createErrorLog } from './repeated-errors.ts';

const withCode = (code: string, message = code) => Object.assign(new Error(message), { code });

function openLog() {
  const lines: unknown[][] = [];
  let atMs = 0;
  const log = createErrorLog({ error: (...line: unknown[]) => void lines.push(line) }, 'the queue', () => atMs);
  return { lines, log, pass: (ms: number) => void (atMs += ms) };
}

it('logs errors of one code once a minute, whatever their message, and counts the others', () => {
  const { lines, log, pass } = openLog();
  const [first, again] = [withCode('ECONNREFUSED', 'jobs'), withCode('ECONNREFUSED', 'jobs-deliver')];
  log(first);
  for (let second = 0; second < 59; second += 1) {
    pass(1_000);
    log(again);
  }
  expect(lines).toEqual([[{ cause: first }, 'error in the queue']]);
  pass(1_000);
  log(again);
  expect(lines.slice(1)).toEqual([[{ cause: again, leftOut: 59 }, 'error in the queue']]);
});

it('logs every other error at once', () => {
  const { lines, log } = openLog();
  for (const error of [withCode('ECONNREFUSED'), withCode('57P03'), new Error('one'), new Error('two')]) log(error);
  expect(lines).toHaveLength(4);
});
