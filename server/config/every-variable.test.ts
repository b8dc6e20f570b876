import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from './config.ts';
import { VARIABLES } from './variables.ts';

/** A value that is no number, no switch, no address, no list of pairs and none of a few words. */
const NONSENSE = '☃ nonsense ☃';

describe.each(Object.entries(VARIABLES))('%s', (_name, schema) => {
  it('has a default or may be absent', () => {
    expect(schema.safeParse(undefined).success).toBe(true);
  });

  it('says what it must be and what it does', () => {
    expect(String(schema.meta()?.['type'])).toMatch(/^\S.{2,120}$/u);
    expect(String(schema.meta()?.description)).toMatch(/\S{3,}.*\.$/su);
  });
});

const isText = (name: string) => VARIABLES[name]?.meta()?.['type'] === 'text';

it.each(Object.keys(VARIABLES).filter(isText))('%s takes any text', (name) => {
  expect(VARIABLES[name]?.safeParse(NONSENSE).success).toBe(true);
});

it.each(Object.keys(VARIABLES).filter((name) => !isText(name)))(
  '%s refuses nonsense by its name, without repeating it',
  (name) => {
    const load = () => loadConfig({ [name]: NONSENSE });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(new RegExp(`${name} must be `));
    expect(load).not.toThrow(/☃/);
  },
);

it('values of one variable do not change the defaults of others', () => {
  const { port, ...remaining } = loadConfig({ PORT: '9' });
  const { port: usual, ...usualOthers } = loadConfig({});
  expect([port, usual]).toEqual([9, 8080]);
  expect({ ...remaining, workers: null }).toEqual({ ...usualOthers, workers: null });
});
