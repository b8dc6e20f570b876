import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import { SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { openAsrModel } from '#packages/engines/builtin/asr-model.ts';
import { loadShippedVoices } from '#server/features/voices/shipped-voices.ts';
import { readSamples } from '../../eval/sound.ts';
import { speakToWav } from '../../eval/tts/spoken-set.ts';
import { readSubtitleCounts } from './corpora-eng.ts';

/**
 * Writes by which syllables the Cantonese acoustic model hears English words in the accent of Hong
 * Kong: it speaks each in a Cantonese sentence with shipped voices. A word and its syllables are on
 * a line for each voice, words that people mix in first, the most frequent before the others:
 *
 *     node training/language-model/hear-english.ts --text <folder> --out english-in-cantonese.tsv [--words 7800]
 *
 * `--text` is the folder of the English sources of README.md, of which it takes the word counts.
 */
const { values } = parseArgs({
  options: {
    text: { type: 'string' },
    out: { type: 'string' },
    words: { type: 'string', default: '7800' },
  },
});
if (values.text === undefined || values.out === undefined) {
  process.stderr.write('Missing option: --text <folder> --out <file>\n');
  process.exit(2);
}
const ROOT = join(import.meta.dirname, '../..');
/** Words that people in Hong Kong put into Cantonese sentences, in no order. */
const MIXED_WORDS = join(ROOT, 'packages/engines/syllable/testing/mixed-words.txt');
/** Voices of both sexes; the two first speak the less likely words, too. */
const VOICES = ['maria', 'marcus', 'kelvin', 'granny-chan'];
const sentenceOf = (word: string): string => `佢話${word}嗰個`;
/** Rimes before and after the word in a sentence that was heard as it was said. */
const AROUND = { before: 'eoi aa', after: 'o o' };

const { counts } = readSubtitleCounts(values.text);
const countOf = (word: string): number => counts.get(word.toLowerCase()) ?? 0;
const mixed = [...new Set(readFileSync(MIXED_WORDS, 'utf8').split(/\s+/))].filter((word) =>
  /^[A-Za-z][A-Za-z'-]+$/.test(word),
);
const mixedWords = new Set(mixed.map((word) => word.toLowerCase()));
const furtherWords = [...counts.keys()].filter((word) => /^[a-z]{3,}$/.test(word) && !mixedWords.has(word));
const byCount = (words: string[]): string[] => words.sort((a, b) => countOf(b) - countOf(a) || (a < b ? -1 : 1));
const words = [...byCount(mixed), ...byCount(furtherWords)].slice(0, Number(values.words));

const builtinModelsDir = join(ROOT, 'models');
const place = { enginesDir: SHIPPED_ENGINES_DIR, env: { builtinModelsDir, modelsDir: '/nowhere', settings: {} } };
const shipped = loadShippedVoices(join(ROOT, 'voices')).map(({ voice }) => voice);
const voices = VOICES.flatMap((id): SynthesisVoice[] => {
  const voice = shipped.find((candidate) => candidate.id === id);
  return voice === undefined ? [] : [{ id, profile: voice.profile, reference: null }];
});
const { acoustic, decoder } = await openAsrModel(builtinModelsDir, 'cantonese');
const folder = mkdtempSync(join(tmpdir(), 'english-words-'));
const path = join(folder, 'word.wav');
const lines: string[] = [];
try {
  for (const word of words) {
    for (const voice of mixedWords.has(word.toLowerCase()) ? voices : voices.slice(0, 2)) {
      const style = { model: 'syllable', temperature: 0 };
      writeFileSync(path, await speakToWav(sentenceOf(word), 'cantonese', voice, style, place));
      const units = decoder.decodeUnits(await acoustic.compute(await readSamples(path)));
      const rimes = units.map(({ rime }) => rime);
      const isWhole = rimes.slice(0, 2).join(' ') === AROUND.before && rimes.slice(-2).join(' ') === AROUND.after;
      const syllables = units.slice(2, -2).map(({ reading }) => reading);
      if (isWhole && syllables.length > 0) lines.push(`${word}\t${syllables.join(' ')}\n`);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
  await acoustic.close();
}
writeFileSync(values.out, lines.join(''));
process.stdout.write(`${values.out}: ${words.length} words\n`);
