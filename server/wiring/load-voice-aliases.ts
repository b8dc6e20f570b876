import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { ConfigError } from '#config/config.ts';

const Aliases = z.record(z.string(), z.string());

/**
 * Reads VOICE_ALIASES: a JSON object, or the path of a file with one. Throws ConfigError.
 */
export async function loadVoiceAliases(setting: string | null): Promise<Readonly<Record<string, string>>> {
  if (setting === null) return {};
  try {
    const json = setting.startsWith('{') ? setting : await readFile(setting, 'utf8');
    return Aliases.parse(JSON.parse(json));
  } catch (cause) {
    throw new ConfigError(
      'Bad configuration. VOICE_ALIASES must be a JSON object from ids to voices, or the path of a file with one.',
      { cause },
    );
  }
}
