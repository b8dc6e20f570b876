import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { HELD_OUT_FOLD, TUNING_FOLD, readCorpora, readLexicon, readWordCounts } from './corpora.ts';
import { TRAINING_OPTIONS, trainModel } from './train.ts';

/**
 * Builds models/yue/language-model.bin:
 *
 *     node training/language-model/build.ts --text <folder> --out models/yue [--without-tuning-fold]
 *
 * The folder holds hkcancor.tsv, commonvoice-yue.txt, rime-lexicon.tsv and rime-word-frequency.txt. The second form
 * also leaves out the sentences that weights are chosen on.
 */
const { values } = parseArgs({
  options: {
    text: { type: 'string' },
    out: { type: 'string', default: 'models/yue' },
    'without-tuning-fold': { type: 'boolean', default: false },
  },
});
if (values.text === undefined) {
  process.stderr.write('Say where the corpora are: --text <folder>\n');
  process.exit(2);
}
const hidden = values['without-tuning-fold'] ? [HELD_OUT_FOLD, TUNING_FOLD] : [HELD_OUT_FOLD];
const sentences = readCorpora(values.text).filter(({ fold }) => !hidden.includes(fold));
const bytes = trainModel(
  sentences,
  readLexicon(values.text),
  readWordCounts(values.text),
  TRAINING_OPTIONS,
  'Cantonese word trigrams and lexicon from HKCanCor (CC BY), Common Voice (CC0) and rime-cantonese (CC BY 4.0)',
);
mkdirSync(values.out, { recursive: true });
writeFileSync(join(values.out, 'language-model.bin'), bytes);
process.stdout.write(`${sentences.length} sentences, ${bytes.length} bytes\n`);
