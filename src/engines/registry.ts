import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError } from '#contracts/errors.ts';
import type { EngineSurroundings, RecognizerCapabilities, RecognizerEngine } from '#contracts/recognizer.ts';
import type { Language, LanguageChoice } from '#contracts/transcript.ts';

/** What may be told of an engine to operators: plain data, no path, no secret. `reason` is null when it is available. */
export type EngineDescription = {
  name: string;
  ability: 'recognizer';
  version: string;
  priority: number;
  capabilities: RecognizerCapabilities;
  available: boolean;
  reason: string | null;
};

export type EngineRegistry = {
  /** Every engine found, best first. */
  readonly recognizers: readonly RecognizerEngine[];
  /** Folders that hold a recogniser which could not be loaded, and why; a shipped engine is never among them. */
  readonly broken: readonly { name: string; reason: string }[];
  /** The engine of that name; throws `engine_unavailable` when there is none or it cannot work here. */
  getRecognizer(name: string): RecognizerEngine;
  /**
   * The engine for a request. `preference` is "auto" (best available by priority) or an engine's name.
   * Throws `engine_unavailable` with the reasons in one sentence.
   */
  chooseRecognizer(language: LanguageChoice, preference: string): RecognizerEngine;
  describeEngines(): EngineDescription[];
};

/** Where the engines of this package lie. */
export const SHIPPED_ENGINES_DIR = import.meta.dirname;

/**
 * Finds engines by folder: every `<enginesDir>/<name>/recognizer.ts` exports an `engine` of that same name.
 * Nothing is registered by hand, so a new engine is one new folder. A folder that cannot be imported does not stop the service.
 */
export async function loadEngines(options: {
  enginesDir: string;
  surroundings: EngineSurroundings;
}): Promise<EngineRegistry> {
  const recognizers: RecognizerEngine[] = [];
  const broken: { name: string; reason: string }[] = [];
  const folders = await readdir(options.enginesDir);
  for (const folder of folders) {
    const file = join(options.enginesDir, folder, 'recognizer.ts');
    // Not asked whether the entry is a folder: a link to one is as good.
    if (!existsSync(file)) continue;
    try {
      recognizers.push(await loadRecognizer(folder, file));
    } catch (thrown) {
      // The text of a failed import holds paths, and this list is shown to people.
      broken.push({ name: folder, reason: thrown instanceof AppError ? thrown.message : 'it could not be loaded' });
    }
  }
  recognizers.sort((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1));
  return createRegistry(recognizers, broken, options.surroundings);
}

async function loadRecognizer(folder: string, file: string): Promise<RecognizerEngine> {
  const module = (await import(pathToFileURL(file).href)) as { engine?: RecognizerEngine };
  const engine = module.engine;
  if (engine === undefined || engine.ability !== 'recognizer') {
    throw new AppError('engine_unavailable', 'its recognizer.ts exports no recogniser named "engine"');
  }
  if (engine.name !== folder) {
    throw new AppError('engine_unavailable', `it calls itself "${engine.name}", which is not the name of its folder`);
  }
  return engine;
}

function createRegistry(
  recognizers: RecognizerEngine[],
  broken: { name: string; reason: string }[],
  surroundings: EngineSurroundings,
): EngineRegistry {
  const reasonAgainst = (engine: RecognizerEngine): string | null => {
    const availability = engine.availability(surroundings);
    return availability.available ? null : availability.reason;
  };

  const getRecognizer = (name: string): RecognizerEngine => {
    const engine = recognizers.find((candidate) => candidate.name === name);
    if (engine === undefined) {
      const why = broken.find((candidate) => candidate.name === name)?.reason;
      throw new AppError(
        'engine_unavailable',
        why === undefined
          ? `This server has no engine named "${name}".`
          : `The engine "${name}" cannot be used: ${why}.`,
      );
    }
    const reason = reasonAgainst(engine);
    if (reason !== null) {
      throw new AppError('engine_unavailable', `The engine "${name}" is not available on this server: ${reason}.`);
    }
    return engine;
  };

  return {
    recognizers,
    broken,
    getRecognizer,
    chooseRecognizer(language, preference) {
      if (preference !== 'auto') {
        const engine = getRecognizer(preference);
        if (speaks(engine, language)) return engine;
        throw new AppError('engine_unavailable', `The engine "${preference}" does not recognise ${language}.`);
      }
      const candidates = recognizers.filter((engine) => speaks(engine, language));
      const available = candidates.filter((engine) => reasonAgainst(engine) === null);
      // Left to decide the language, an engine that can tell languages apart beats a better one that cannot.
      const best =
        (language === 'auto' && available.find((engine) => engine.capabilities.detectsLanguage)) || available[0];
      if (best !== undefined) return best;
      const reasons = candidates.map((engine) => `${engine.name}: ${reasonAgainst(engine) ?? ''}`);
      throw new AppError('engine_unavailable', unavailableMessage(language, reasons));
    },
    describeEngines: () =>
      recognizers.map((engine) => {
        const reason = reasonAgainst(engine);
        return {
          name: engine.name,
          ability: engine.ability,
          version: engine.version,
          priority: engine.priority,
          capabilities: engine.capabilities,
          available: reason === null,
          reason,
        };
      }),
  };
}

function speaks(engine: RecognizerEngine, language: LanguageChoice): boolean {
  return language === 'auto' || engine.capabilities.languages.includes(language satisfies Language);
}

function unavailableMessage(language: LanguageChoice, reasons: string[]): string {
  const subject = language === 'auto' ? 'No engine is' : `No engine for ${language} is`;
  return `${subject} available on this server${reasons.length === 0 ? '' : ` (${reasons.join('; ')})`}.`;
}
