import type { Corpus, CorpusEntry } from '@jyutsing/contracts/corpus';
import { AppError } from '@jyutsing/contracts/errors';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { parseCorpusJsonInTurns, parseCorpusTsvInTurns } from '@jyutsing/text/corpora/parse-corpus';
import { outlineJsonInTurns, parseJsonInTurns } from '#features/json-in-turns.ts';
import { excessOf } from '#features/json-outline.ts';

/** Values exceed what the most entries need, so that those are refused for their number. */
export const CORPUS_JSON_LIMITS = { depth: 64, values: 200_000 } as const;

/**
 * Reads a file as JSON when it begins like JSON, else as tab-separated text; UTF-8, or UTF-16 with
 * a byte order mark, which spreadsheets write as "Unicode text". Throws `invalid_parameter` that
 * names the wrong lines or entries, and `invalid_request` for malformed or too large JSON.
 */
export async function readCorpusFile(bytes: Uint8Array): Promise<CorpusEntry[]> {
  const text = decode(bytes);
  if (!/^\s*[[{]/.test(text)) return (await parseCorpusTsvInTurns(text)).entries;
  // Lists are parsed in parts where they are fields.
  const json = /^\s*\[/.test(text) ? `{"entries":${text}}` : text;
  const { exceeded, lists } = await outlineJsonInTurns(json, CORPUS_JSON_LIMITS);
  if (exceeded !== null) {
    throw new AppError('invalid_request', `The JSON of the file ${excessOf(exceeded, CORPUS_JSON_LIMITS)}.`);
  }
  await yieldToEventLoop();
  let value: unknown;
  try {
    value = await parseJsonInTurns(json, lists);
  } catch (cause) {
    throw new AppError('invalid_request', 'The file begins like JSON, but is not valid JSON.', { cause });
  }
  return readCorpusEntries(value);
}

/** Reads parsed JSON. Throws `invalid_parameter` that names the wrong entries. */
export async function readCorpusEntries(value: unknown): Promise<CorpusEntry[]> {
  await yieldToEventLoop();
  return (await parseCorpusJsonInTurns(value)).entries;
}

/** The corpus as a file in the format of the shipped ones, which `readCorpusFile` reads. */
export function formatCorpusTsv({ name, description, language, version, entries }: Corpus): string {
  const header = [
    `# name: ${name}`,
    `# description: ${description.replaceAll(/\s+/g, ' ')}`,
    `# language: ${language}`,
    `# version: ${version}`,
    // Without it, a first entry "text" would be read as the header.
    'text\tjyutping\tweight',
  ];
  return `${[...header, ...entries.map(formatEntry)].join('\n')}\n`;
}

function formatEntry({ text, jyutping, weight }: CorpusEntry): string {
  // The space keeps the line from being a comment; it is trimmed when the file is read.
  const cell = text.startsWith('#') ? ` ${text}` : text;
  if (weight !== 1) return `${cell}\t${jyutping ?? ''}\t${weight}`;
  return jyutping === null ? cell : `${cell}\t${jyutping}`;
}

/** Strict, because a file in Big5 would become a corpus of replacement characters. */
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
