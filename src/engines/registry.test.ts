import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadEngines, SHIPPED_ENGINES_DIR } from './registry.ts';

const surroundings = { builtinModelsDir: '/nowhere', modelsDir: '/nowhere', settings: {} };
let root = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'engines-test-'));
  await writeFile(join(root, 'package.json'), '{"type":"module"}');
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function add(folder: string, changes: Record<string, unknown> = {}, reason: string | null = null): Promise<void> {
  const engine = {
    ability: 'recognizer',
    name: folder,
    version: '1',
    priority: 1,
    capabilities: {
      languages: ['cantonese'],
      detectsLanguage: false,
      timestamps: 'word',
      confidence: true,
      readings: true,
    },
    ...changes,
  };
  const availability = reason === null ? { available: true } : { available: false, reason };
  await mkdir(join(root, folder));
  const source = `export const engine = { ...${JSON.stringify(engine)}, availability: () => (${JSON.stringify(availability)}) };`;
  await writeFile(join(root, folder, 'recognizer.ts'), source);
}

const load = () => loadEngines({ enginesDir: root, surroundings });

function capabilities(languages: string[], detectsLanguage = false) {
  return { capabilities: { languages, detectsLanguage, timestamps: 'word', confidence: true, readings: true } };
}

describe('engines are found by folder', () => {
  it('every folder with a recogniser is one engine, best first', async () => {
    await add('small');
    await add('large', { priority: 5 });
    await mkdir(join(root, 'no-engine'));
    expect((await load()).recognizers.map((engine) => engine.name)).toEqual(['large', 'small']);
  });

  it('a folder whose engine has another name, or which cannot be imported, is told and does not stop the others', async () => {
    await add('good');
    await add('liar', { name: 'somebody-else' });
    await mkdir(join(root, 'broken'));
    await writeFile(join(root, 'broken/recognizer.ts'), `import '/secret/path/missing.ts';`);
    await mkdir(join(root, 'empty'));
    await writeFile(join(root, 'empty/recognizer.ts'), 'export const other = 1;');
    const registry = await load();
    expect(registry.recognizers.map((engine) => engine.name)).toEqual(['good']);
    expect(registry.broken.map((entry) => entry.name).sort()).toEqual(['broken', 'empty', 'liar']);
    expect(JSON.stringify(registry.broken)).not.toContain('secret');
    expect(() => registry.getRecognizer('liar')).toThrow('not the name of its folder');
  });

  it('every shipped engine loads', async () => {
    const registry = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, surroundings });
    expect(registry.broken).toEqual([]);
    expect(registry.recognizers.map((engine) => engine.name)).toContain('builtin');
  });

  it('an engine may be a link to a folder elsewhere', async () => {
    await add('real');
    await mkdir(join(root, 'others'));
    await symlink(join(root, 'real'), join(root, 'others/real'));
    const registry = await loadEngines({ enginesDir: join(root, 'others'), surroundings });
    expect(registry.recognizers.map((engine) => engine.name)).toEqual(['real']);
  });
});

describe('the engine of a request', () => {
  it('is the available one with the highest priority for the language', async () => {
    await add('best-but-missing', { priority: 9 }, 'its weights are not here');
    await add('good', { priority: 5 });
    await add('plain', { priority: 1 });
    await add('foreign', { priority: 8, ...capabilities(['english']) });
    expect((await load()).chooseRecognizer('cantonese', 'auto').name).toBe('good');
  });

  it('for "auto" is one that can tell languages apart, if there is one', async () => {
    await add('good', { priority: 5 });
    expect((await load()).chooseRecognizer('auto', 'auto').name).toBe('good');
    await add('polyglot', { priority: 1, ...capabilities(['cantonese', 'english'], true) });
    expect((await load()).chooseRecognizer('auto', 'auto').name).toBe('polyglot');
  });

  it('is the one asked for by name', async () => {
    await add('good', { priority: 5 });
    await add('plain', { priority: 1 });
    expect((await load()).chooseRecognizer('cantonese', 'plain').name).toBe('plain');
  });

  it('that does not exist answers 503 in a sentence', async () => {
    await add('plain');
    const registry = await load();
    expect(() => registry.chooseRecognizer('mandarin', 'auto')).toThrow(
      expect.objectContaining({
        code: 'engine_unavailable',
        status: 503,
        message: 'No engine for mandarin is available on this server.',
      }),
    );
    expect(() => registry.chooseRecognizer('mandarin', 'plain')).toThrow(
      'The engine "plain" does not recognise mandarin.',
    );
    expect(() => registry.chooseRecognizer('cantonese', 'no-such')).toThrow(
      'This server has no engine named "no-such".',
    );
  });

  it('that is not available says why', async () => {
    await add('plain', {}, 'its weights are not here');
    const registry = await load();
    expect(() => registry.chooseRecognizer('cantonese', 'auto')).toThrow(
      'No engine for cantonese is available on this server (plain: its weights are not here).',
    );
    expect(() => registry.chooseRecognizer('auto', 'auto')).toThrow('No engine is available on this server');
    expect(() => registry.getRecognizer('plain')).toThrow('its weights are not here');
    expect(registry.describeEngines()).toMatchObject([
      { name: 'plain', available: false, reason: 'its weights are not here' },
    ]);
  });
});
