import { join } from 'node:path';
import { normalizeSyllable } from '@jyutsing/text/syllables/jyutping';
import { textToJyutping } from '@jyutsing/text/readings/text-to-jyutping';
import { corpusSpelling } from './cantonese-spelling.ts';
import { type LexiconEntry, type Sentence, foldOf, linesOf } from './corpora.ts';

/** Special glyphs of the spoken corpus by the sound they write. */
const PARTICLES: Readonly<Record<string, string>> = {
  '𡃉 gaa3': '㗎',
  '𠺢 gaa1': '㗎',
  '𠿪 gaa2': '㗎',
  '𠺝 gaak3': '㗎',
  '𠸏 ge2': '嘅',
  '𡁵 gan2': '緊',
  '𠻹 tim1': '添',
  '𠻺 aa6': '呃',
  '囖 lo1': '囉',
  '嚹 laa3': '喇',
  '喇 laa1': '啦',
  '哩 ni1': '呢',
  '來 lai4': '嚟',
  '來 lei4': '嚟',
  '俾 bei2': '畀',
  '重 zung6': '仲',
  '吓 haa5': '下',
  '翻 faan1': '返',
};

/** Annotations of laughing and coughing. */
const NOISES = new Set(['喀 haak6']);
const HAN = /^\p{Script=Han}$/u;

/**
 * Sentences of both Cantonese corpora in Hong Kong forms. Characters without a reading (Latin
 * letters) split a piece and are dropped.
 */
export function readCantoneseSentences(folder: string): Sentence[] {
  return [...readSpokenCorpus(join(folder, 'hkcancor.tsv')), ...readSentences(join(folder, 'commonvoice-yue.txt'))];
}

function readSpokenCorpus(path: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const line of linesOf(path).slice(1)) {
    const [text = '', jyutping = ''] = line.split('\t');
    const readings = jyutping.split(' ');
    const pieces: string[] = [];
    const syllables: string[] = [];
    let position = 0;
    for (const word of text.split(' ')) {
      let piece = '';
      for (const char of word) {
        const reading = readings[position++] ?? '';
        const syllable = normalizeSyllable(reading);
        if (syllable === null || NOISES.has(`${char} ${reading}`)) continue;
        piece += PARTICLES[`${char} ${reading}`] ?? char;
        syllables.push(syllable);
      }
      if (piece !== '') pieces.push(corpusSpelling(piece));
    }
    if (pieces.length > 0) sentences.push({ source: 'hkcancor', pieces, syllables, fold: foldOf(text) });
  }
  return sentences;
}

function readSentences(path: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const line of linesOf(path)) {
    const pieces: string[] = [];
    const syllables: string[] = [];
    let piece = '';
    for (const { char, jyutping } of textToJyutping(corpusSpelling(line))) {
      if (jyutping !== null && HAN.test(char)) {
        piece += char;
        syllables.push(jyutping);
      } else if (piece !== '') {
        pieces.push(piece);
        piece = '';
      }
    }
    if (piece !== '') pieces.push(piece);
    if (pieces.length > 0) sentences.push({ source: 'commonvoice', pieces, syllables, fold: foldOf(line) });
  }
  return sentences;
}

/** Words and characters with readings, without invalid jyutping. */
export function readCantoneseLexicon(folder: string): LexiconEntry[] {
  const entries: LexiconEntry[] = [];
  for (const line of linesOf(join(folder, 'rime-lexicon.tsv'))) {
    const [word = '', jyutping = '', share] = line.split('\t');
    const syllables = jyutping.split(' ').map(normalizeSyllable);
    const completeSyllables = syllables.filter((syllable) => syllable !== null);
    if (completeSyllables.length !== syllables.length || completeSyllables.length !== [...word].length) continue;
    // A single character has no context to tell a phonetic spelling from the character itself.
    const form = completeSyllables.length === 1 ? word : corpusSpelling(word);
    entries.push({ word: form, syllables: completeSyllables, share: share ? Number.parseFloat(share) / 100 : 1 });
  }
  return entries;
}

/** Word frequencies in a large body of written Cantonese, in Hong Kong forms. */
export function readCantoneseCounts(folder: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of linesOf(join(folder, 'rime-word-frequency.txt'))) {
    const [raw = '', count = '0'] = line.split('\t');
    if (![...raw].every((char) => HAN.test(char))) continue;
    const word = corpusSpelling(raw);
    counts.set(word, (counts.get(word) ?? 0) + Number(count));
  }
  return counts;
}
