import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Language, LanguageChoice } from '@jyutsing/contracts/transcript';
import { loadEngines, openModel, SHIPPED_ENGINES_DIR } from './registry.ts';

const env = { builtinModelsDir: '/nowhere', modelsDir: '/nowhere', settings: {} };
let root = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'engines-test-'));
  await writeFile(join(root, 'package.json'), '{"type":"module"}');
});
afterEach(() => rm(root, { recursive: true, force: true }));

type Languages = Partial<Record<Language, number>>;

/** Adds a synthesizer with one model of the same name. */
async function addSynthesizer(folder: string, clones: 'profile' | 'none', languages: Languages) {
  const model = { name: folder, version: '1', capabilities: { languages, clones }, availability: { available: true } };
  await write(folder, 'synthesizer', folder, `, models: () => [${JSON.stringify(model)}]`);
}

/** Properties of a model of an ability that does not depend on the language. */
const RANKED = { name: 'able', version: '1', capabilities: { quality: 1 }, availability: { available: true } };

/** Adds an engine with one model of the same name. */
async function add(folder: string, languages: Languages = { cantonese: 50 }, reason: string | null = null) {
  const model = {
    name: folder,
    version: '1',
    capabilities: { languages, timestamps: 'word', confidence: true, readings: true },
    availability: reason === null ? { available: true } : { available: false, reason },
  };
  await write(folder, 'recognizer', folder, `, models: () => [${JSON.stringify(model)}]`);
}

async function write(folder: string, ability: string, name: string, properties: string): Promise<void> {
  await mkdir(join(root, folder), { recursive: true });
  const source = `export const engine = { ability: '${ability}', name: '${name}'${properties} };`;
  await writeFile(join(root, folder, `${ability}.ts`), source);
}

const load = () => loadEngines({ enginesDir: root, env });
const recognizerFor = async (language: LanguageChoice, model = 'auto') =>
  (await load()).select('recognizer', { language, model }).model;
const synthesizerFor = async (language: Language, model = 'auto') =>
  (await load()).select('synthesizer', { language, model }).model;

describe('engines are found by folder', () => {
  it('every folder with a recognizer is one engine', async () => {
    await add('small');
    await add('large');
    await mkdir(join(root, 'no-engine'));
    expect((await load()).engines('recognizer').map((engine) => engine.name)).toEqual(['large', 'small']);
  });

  it('a folder may have several abilities and a catalogue', async () => {
    await add('able');
    await write('able', 'language-identifier', 'able', `, models: () => [${JSON.stringify(RANKED)}]`);
    await writeFile(join(root, 'able/packages.ts'), `export const packages = [{ name: 'weights' }];`);
    const registry = await load();
    expect(registry.engines('recognizer')).toHaveLength(1);
    expect(registry.select('language-identifier').engine).toBe('able');
    expect(registry.packages).toEqual([{ name: 'weights' }]);
  });

  it('an engine with another name, or one that cannot be imported, is reported and does not affect the others', async () => {
    await add('good');
    await write('liar', 'recognizer', 'other-name', '');
    await mkdir(join(root, 'broken'));
    await writeFile(join(root, 'broken/recognizer.ts'), `import '/secret/path/missing.ts';`);
    await mkdir(join(root, 'empty'));
    await writeFile(join(root, 'empty/recognizer.ts'), 'export const other = 1;');
    await write('impostor', 'recognizer', 'impostor', `, ability: 'language-identifier'`);
    const registry = await load();
    expect(registry.engines('recognizer').map((engine) => engine.name)).toEqual(['good']);
    expect(registry.broken.map((entry) => entry.name)).toEqual(['broken', 'empty', 'impostor', 'liar']);
    expect(JSON.stringify(registry.broken)).not.toContain('secret');
    expect(() => registry.select('recognizer', { language: 'cantonese', model: 'liar' })).toThrow(
      'not the name of its folder',
    );
  });

  it('every shipped engine loads', async () => {
    const registry = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, env });
    expect(registry.broken).toEqual([]);
    expect(registry.engines('recognizer').map((engine) => engine.name)).toContain('builtin');
  });

  it('an engine may be a link to a folder elsewhere', async () => {
    await add('real');
    await mkdir(join(root, 'others'));
    await symlink(join(root, 'real'), join(root, 'others/real'));
    const registry = await loadEngines({ enginesDir: join(root, 'others'), env });
    expect(registry.engines('recognizer').map((engine) => engine.name)).toEqual(['real']);
  });
});

describe('the model of a request', () => {
  it('is the best available one for the language', async () => {
    await add('best-but-missing', { cantonese: 99 }, 'its weights are missing');
    await add('good', { cantonese: 80, english: 10 });
    await add('plain', { cantonese: 20 });
    await add('foreign', { english: 90 });
    expect(await recognizerFor('cantonese')).toBe('good');
    expect(await recognizerFor('english')).toBe('foreign');
  });

  it('for "auto" is the best for Cantonese, and the available languages are listed', async () => {
    await add('one', { cantonese: 80 });
    await add('two', { english: 90 });
    await add('missing', { mandarin: 90 }, 'its weights are missing');
    expect(await recognizerFor('auto')).toBe('one');
    expect((await load()).languages('recognizer', 'auto')).toEqual(['cantonese', 'english']);
    expect((await load()).languages('recognizer', 'two')).toEqual(['english']);
  });

  it('can be requested by name', async () => {
    await add('good', { cantonese: 80 });
    await add('plain', { cantonese: 20 });
    expect(await recognizerFor('cantonese', 'plain')).toBe('plain');
  });

  it('is the best of an engine requested by name', async () => {
    const models = JSON.stringify(
      Object.entries({ tiny: 30, huge: 70 }).map(([name, cantonese]) => ({
        name,
        version: '1',
        capabilities: { languages: { cantonese } },
        availability: { available: true },
      })),
    );
    await write('several', 'recognizer', 'several', `, models: () => ${models}`);
    await add('other', { cantonese: 99 });
    expect(await recognizerFor('cantonese', 'several')).toBe('huge');
    expect(await recognizerFor('cantonese', 'tiny')).toBe('tiny');
  });

  it('that does not exist or does not know the language is an error', async () => {
    await add('plain');
    const registry = await load();
    expect(() => registry.select('recognizer', { language: 'mandarin' })).toThrow(
      expect.objectContaining({
        code: 'engine_unavailable',
        status: 503,
        message: 'No engine that can recognize mandarin is available on this server.',
      }),
    );
    expect(() => registry.select('recognizer', { language: 'mandarin', model: 'plain' })).toThrow(
      expect.objectContaining({
        code: 'invalid_parameter',
        message: 'The model "plain" does not recognize mandarin, but cantonese.',
      }),
    );
    expect(() => registry.select('recognizer', { language: 'cantonese', model: 'no-such' })).toThrow(
      expect.objectContaining({
        code: 'model_not_found',
        status: 404,
        message: 'This server has no engine or model named "no-such".',
      }),
    );
  });

  it('that is unavailable is an error with the reason', async () => {
    await add('plain', { cantonese: 1 }, 'its weights are missing');
    const registry = await load();
    expect(() => registry.select('recognizer', { language: 'cantonese' })).toThrow(
      'No engine that can recognize cantonese is available on this server (plain: its weights are missing).',
    );
    expect(() => registry.select('recognizer', { language: 'auto' })).toThrow(
      'No engine that can recognize any language is available',
    );
    expect(() => registry.select('recognizer', { language: 'cantonese', model: 'plain' })).toThrow(
      'its weights are missing',
    );
    expect(() => registry.select('language-identifier')).toThrow(expect.objectContaining({ status: 503 }));
    expect(registry.describeModels()).toMatchObject([
      { name: 'plain', available: false, reason: 'its weights are missing' },
    ]);
  });
});

describe('a model that is opened by its reference', () => {
  const opening = `, open: async (env, model) => ({ text: model + ' of ' + env.modelsDir, close: async () => {} })`;

  it('is that of the registry, without the files of other engines', async () => {
    await write('able', 'language-identifier', 'able', `, models: () => [${JSON.stringify(RANKED)}]${opening}`);
    await mkdir(join(root, 'other'));
    await writeFile(join(root, 'other/recognizer.ts'), 'globalThis.otherEngineIsLoaded = true;');
    const ref = { ability: 'language-identifier', engine: 'able', ...RANKED, model: 'able' } as const;
    expect(await openModel(ref as never, { enginesDir: root, env })).toMatchObject({ text: 'able of /nowhere' });
    expect(globalThis).not.toHaveProperty('otherEngineIsLoaded');
    const registry = await load();
    expect(globalThis).toHaveProperty('otherEngineIsLoaded');
    expect(await registry.open(ref as never)).toMatchObject({ text: 'able of /nowhere' });
  });

  it('must still be there, of the same ability and available', async () => {
    await add('plain', { cantonese: 1 }, 'its weights are missing');
    await write('liar', 'recognizer', 'other-name', '');
    const gone = { code: 'engine_unavailable', message: expect.stringContaining('no longer available') as string };
    for (const engine of ['plain', 'liar', 'no-such']) {
      const ref = { ability: 'recognizer', engine, model: engine } as never;
      await expect(openModel(ref, { enginesDir: root, env })).rejects.toMatchObject(gone);
      await expect(async () => (await load()).open(ref)).rejects.toMatchObject(gone);
    }
  });
});

describe('the synthesizer of a request', () => {
  it('is the best for the language, and one that cannot clone only when no other knows it', async () => {
    await addSynthesizer('announcer', 'none', { cantonese: 80, mandarin: 60 });
    await addSynthesizer('actor', 'profile', { cantonese: 40, english: 40 });
    await addSynthesizer('imitator', 'profile', { cantonese: 50 });
    expect(await synthesizerFor('cantonese')).toBe('imitator');
    expect(await synthesizerFor('english')).toBe('actor');
    expect(await synthesizerFor('mandarin')).toBe('announcer');
    expect(await synthesizerFor('cantonese', 'announcer')).toBe('announcer');
  });

  it('is never a recognizer', async () => {
    await add('recognizes', { cantonese: 90 });
    await expect(synthesizerFor('cantonese', 'recognizes')).rejects.toMatchObject({ code: 'model_not_found' });
    await expect(synthesizerFor('cantonese')).rejects.toMatchObject({ code: 'engine_unavailable' });
    await addSynthesizer('actor', 'profile', { english: 40 });
    await expect(
      load().then((registry) => registry.select('recognizer', { language: 'english', model: 'actor' })),
    ).rejects.toMatchObject({
      code: 'model_not_found',
    });
    await expect(synthesizerFor('cantonese', 'actor')).rejects.toMatchObject({ code: 'invalid_parameter' });
    const described = (await load()).describeModels();
    expect(described.map(({ name, ability }) => `${ability} ${name}`)).toEqual([
      'recognizer recognizes',
      'synthesizer actor',
    ]);
  });
});
