// Pinyin for the Mandarin words that come without: prints `text<TAB>pinyin` lines.
// usage: node make_pinyin.mjs CMN_WORDS.tsv > pinyin.tsv
import { readFileSync } from 'node:fs';
import { pinyin } from 'pinyin-pro';

const rows = readFileSync(process.argv[2], 'utf8').split('\n').slice(1);
const texts = new Set(rows.map((row) => row.split('\t')[1]).filter(Boolean));
for (const text of texts) {
  const said = pinyin(text, { toneType: 'num', type: 'array', v: true, nonZh: 'removed' }).map((s) =>
    s.replace(/0$/, '5'),
  );
  // A third tone before another is spoken as a second one.
  for (let i = 0; i + 1 < said.length; i++)
    if (said[i].endsWith('3') && said[i + 1].endsWith('3')) said[i] = said[i].slice(0, -1) + '2';
  console.log(`${text}\t${said.join(' ')}`);
}
