import { describe, expect, it } from 'vitest';
import { describeUnknownVariables } from './unknown-variables.ts';
import { VARIABLES } from './variables.ts';

const FAMILY = /^(?:STT|TTS|LLM|YOUTUBE|MODELS|S3|WEBHOOKS|WORKER|VIDEO)_/;
const known = Object.keys(VARIABLES).filter((name) => FAMILY.test(name));
const describeOne = (name: string) => describeUnknownVariables({ [name]: 'x' })[0] ?? null;

describe('a variable that the service does not have', () => {
  it.each([
    ['STT_ENGNE', 'STT_ENGINE'],
    ['TTS_BASEURL', 'TTS_BASE_URL'],
    ['S3_BUKET', 'S3_BUCKET'],
    ['MODELS_AUTOPULL', 'MODELS_AUTO_PULL'],
    ['LLM_MODEL_NAME', null],
    ['WORKER_COUNT', null],
  ])('%s may have been meant as %s', (name, meant) => {
    const hint = meant === null ? '.' : `; did you mean ${meant}?`;
    expect(describeOne(name)).toBe(`${name} is not a variable of jyutsing and is ignored${hint}`);
  });

  it.each(['PATH', 'HOME', 'STTENGINE', 'NODE_OPTIONS', 'AWS_S3_BUCKET', 'stt_engine', '__proto__', ''])(
    'is not reported when it is one of others: %j',
    (name) => {
      expect(describeOne(name)).toBeNull();
    },
  );

  it('is reported for each name, in order, without its value', () => {
    const environment = { STT_ENGINE: 'auto', STT_X: 'secret-1', PATH: '/bin', TTS_X: 'secret-2' };
    const sentences = describeUnknownVariables(environment);
    expect(sentences.map((sentence) => sentence.split(' ')[0])).toEqual(['STT_X', 'TTS_X']);
    expect(sentences.join(' ')).not.toContain('secret');
  });
});

describe('a slip of one letter', () => {
  /** All names that differ from a known one by a missing or another letter. */
  const slips = known.flatMap((name) => {
    const from = name.indexOf('_') + 1;
    return Array.from({ length: name.length - from }, (_, offset) => from + offset).flatMap((at) => [
      [name, name.slice(0, at) + name.slice(at + 1)] as const,
      [name, `${name.slice(0, at)}#${name.slice(at + 1)}`] as const,
    ]);
  });

  it('in any name is told with that name', () => {
    expect(known.length).toBeGreaterThan(30);
    const wrong = slips.filter(([name, slip]) => {
      const isKnown = Object.hasOwn(VARIABLES, slip);
      return !isKnown && FAMILY.test(slip) && describeOne(slip)?.endsWith(`; did you mean ${name}?`) !== true;
    });
    expect(wrong).toEqual([]);
  });
});

it('the variables of the service are none of them', () => {
  expect(describeUnknownVariables(Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, 'x'])))).toEqual([]);
});
