// Pinyin for Mandarin words that have none: prints `text<TAB>pinyin` lines.
// usage: node make_pinyin.mjs CMN_WORDS.tsv > pinyin.tsv
import { readFileSync } from 'node:fs';
import { pinyin } from 'pinyin-pro';

const rows = readFileSync(process.argv[2], 'utf8').split('\n').slice(1);
const texts = new Set(rows.map((row) => row.split('\t')[1]).filter(Boolean));
for (const text of texts) {
  const syllables = pinyin(text, { toneType: 'num', type: 'array', v: true, nonZh: 'removed' }).map((s) =>
    s.replace(/0$/, '5'),
  );
  // Third tone sandhi: a third tone before another becomes a second tone.
  for (let i = 0; i + 1 < syllables.length; i++)
    if (syllables[i].endsWith('3') && syllables[i + 1].endsWith('3')) syllables[i] = syllables[i].slice(0, -1) + '2';
  console.log(`${text}\t${syllables.join(' ')}`);
}
