import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { replaceFile } from '@jyutsing/system/replace-file';
import { startProgress } from '../../../eval/progress.ts';
import { buildVoice } from './build-voice.ts';
import { cutSyllable, type CutSyllable } from './cut-syllable.ts';
import { readRecording, rowsOf } from './read-recording.ts';

const USAGE = `usage: node training/voices/syllables/build.ts --recordings TABLE.tsv --lexicon TABLE.tsv --out FILE
TABLE.tsv of the recordings has the columns file and jyutping; that of the lexicon has readings in its second column.`;
/** Pitch of the speaker's tone 3. */
const MIDDLE_HZ = 150;

const { values } = parseArgs({
  options: {
    recordings: { type: 'string' },
    lexicon: { type: 'string' },
    out: { type: 'string' },
    middle: { type: 'string', default: String(MIDDLE_HZ) },
  },
});
if (values.recordings === undefined || values.lexicon === undefined || values.out === undefined) {
  console.error(USAGE);
  process.exit(2);
}

const wantedLabels = new Set(
  rowsOf(await readFile(values.lexicon, 'utf8')).flatMap(([, reading = '']) => reading.split(' ')),
);
const [, ...rows] = rowsOf(await readFile(values.recordings, 'utf8'));
const used = rows.filter(([, label = '']) => wantedLabels.has(label)).toSorted((a, b) => (a[1]! < b[1]! ? -1 : 1));
const progress = startProgress('cutting', used.length);
const cut: CutSyllable[] = [];
for (const [index, [file = '', label = '']] of used.entries()) {
  try {
    const sound = await readRecording(resolve(dirname(values.recordings), file));
    cut.push(cutSyllable(sound, label, Number(values.middle)));
  } catch (thrown) {
    console.error(`left out: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
  progress.done(index + 1);
}
const file = buildVoice(cut.map(({ samples, ...unit }) => ({ samples, units: [unit] })));
await replaceFile(values.out, file);
progress.finish(`${cut.length} syllables, ${file.length} bytes`);
