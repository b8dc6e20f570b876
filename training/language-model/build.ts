import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGE_CODES } from '#packages/engines/builtin/model-files.ts';
import { HELD_OUT_FOLD, TUNING_FOLD } from './corpora.ts';
import { BUILDERS } from './languages.ts';

/**
 * Builds language-model.bin of one language:
 *
 *     node training/language-model/build.ts [--language yue|cmn|eng] --text <folder> [--out models/yue] [--without-tuning-fold]
 *
 * README.md lists the required files of each language. The last option also excludes the sentences
 * for tuning weights.
 */
const { values } = parseArgs({
  options: {
    language: { type: 'string', default: 'yue' },
    text: { type: 'string' },
    out: { type: 'string' },
    'without-tuning-fold': { type: 'boolean', default: false },
  },
});
const language = LANGUAGE_CODES.find((candidate) => candidate === values.language);
if (language === undefined || values.text === undefined) {
  process.stderr.write('Missing or invalid option: --language yue|cmn|eng --text <folder>\n');
  process.exit(2);
}
const out = values.out ?? join('models', language);
const hidden = values['without-tuning-fold'] ? [HELD_OUT_FOLD, TUNING_FOLD] : [HELD_OUT_FOLD];
const bytes = await BUILDERS[language](values.text, hidden).catch(refuse);
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'language-model.bin'), bytes);
process.stdout.write(`${join(out, 'language-model.bin')}: ${bytes.length} bytes\n`);

/** Sources that are missing or cut off are the caller's to repair; other errors have a stack. */
function refuse(error: NodeJS.ErrnoException & { url?: string }): never {
  const { code, path, url } = error;
  const missing = code === 'ERR_MODULE_NOT_FOUND' && url !== undefined ? fileURLToPath(url) : path;
  if (code === 'ENOENT' || code === 'ERR_MODULE_NOT_FOUND') {
    process.stderr.write(`${missing} is missing: training/language-model/README.md says where it comes from.\n`);
    process.exit(2);
  }
  if (!(error instanceof AppError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
