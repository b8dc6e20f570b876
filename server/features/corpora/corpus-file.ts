import type { Corpus, CorpusEntry } from '@jyutsing/contracts/corpus';
import { AppError } from '@jyutsing/contracts/errors';
import { parseCorpusJson, parseCorpusTsv } from '@jyutsing/text/corpora/parse-corpus';

/**
 * The entries of a file, which is JSON when its content begins as JSON does, and tab-separated otherwise; UTF-8, or UTF-16 with its byte
 * order mark, as spreadsheets write "Unicode text". Throws `invalid_parameter` that names the lines or entries in question, and
 * `invalid_request` for broken JSON.
 */
export function readCorpusFile(bytes: Uint8Array): CorpusEntry[] {
  const text = decode(bytes);
  if (!/^\s*[[{]/.test(text)) return parseCorpusTsv(text).entries;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid_request', 'The file begins like JSON, but is not valid JSON.', { cause });
  }
  return readCorpusEntries(value);
}

/** The entries of JSON that was parsed. Throws `invalid_parameter` that names the entries in question. */
export function readCorpusEntries(value: unknown): CorpusEntry[] {
  return parseCorpusJson(value).entries;
}

/** The corpus as a file that `readCorpusFile` reads back, in the form of the shipped ones. */
export function formatCorpusTsv({ name, description, language, version, entries }: Corpus): string {
  const header = [
    `# name: ${name}`,
    `# description: ${description.replaceAll(/\s+/g, ' ')}`,
    `# language: ${language}`,
    `# version: ${version}`,
    // Also keeps an entry "text" from being taken for the names of the columns.
    'text\tjyutping\tweight',
  ];
  return `${[...header, ...entries.map(formatEntry)].join('\n')}\n`;
}

function formatEntry({ text, jyutping, weight }: CorpusEntry): string {
  // A line that begins with # is a comment; space around a text means nothing.
  const cell = text.startsWith('#') ? ` ${text}` : text;
  if (weight !== 1) return `${cell}\t${jyutping ?? ''}\t${weight}`;
  return jyutping === null ? cell : `${cell}\t${jyutping}`;
}

/** Not leniently: a file in Big5 would become a corpus of replacement characters. */
function decode(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_parameter', 'The corpus is not UTF-8 text; save the file as UTF-8 and send it again.', {
      cause,
    });
  }
}
