import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { writeNumerals } from '@jyutsing/text/numerals/write-numerals';
import type { Language } from '@jyutsing/contracts/transcript';
import { asTable, type TableFormat } from '../report.ts';

export type ReadableOptions = { texts: readonly string[]; language: Language; format: TableFormat };

const SPOKEN_NUMBER = {
  cantonese: /[零〇一二三四五六七八九十百千萬兩廿卅]/u,
  mandarin: /[零〇一二三四五六七八九十百千万两]/u,
  english: /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|\w+teen|\w+ty|eleven|twelve|hundred|thousand)\b/iu,
} as const;

/**
 * Counts the sentences in which spoken numbers become digits, and prints each with its change:
 * whether people would write so is for a reader to judge. Fails when a sentence without numbers
 * changes.
 */
export async function runReadable({ texts, language, format }: ReadableOptions): Promise<number> {
  const rows: string[][] = [];
  const changed: string[] = [];
  let wrong = 0;
  for (const path of texts) {
    const sentences = await readTexts(path);
    const withNumbers = sentences.filter((text) => SPOKEN_NUMBER[language].test(text));
    const changes = sentences.map((text) => [text, inDigits(text, language)] as const).filter(([a, b]) => a !== b);
    const without = changes.filter(([text]) => !SPOKEN_NUMBER[language].test(text)).length;
    wrong += without;
    rows.push([basename(path), ...[sentences.length, withNumbers.length, changes.length, without].map(String)]);
    changed.push(...changes.map(([spoken, written]) => `${spoken} → ${written}`));
  }
  console.log(asTable(['texts', 'sentences', 'with number words', 'changed', 'changed without'], rows, format));
  console.log(changed.join('\n'));
  return wrong === 0 ? 0 : 1;
}

/** The sentences of a file, one a line; of a TSV its first column, whose words have spaces. */
async function readTexts(path: string): Promise<string[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  if (!path.endsWith('.tsv')) return lines;
  return lines
    .slice(1)
    .map((line) => line.split('\t')[0]!.replaceAll(/(?<=\p{Script=Han}) | (?=\p{Script=Han})/gu, ''));
}

function inDigits(text: string, language: Language): string {
  return writeNumerals({ text, words: [], startMs: 0, endMs: 0, speaker: null, confidence: null }, language).text;
}
