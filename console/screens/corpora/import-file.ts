import type { CorpusContent, CorpusEntry } from '@jyutsing/client';

/** Reads a file of words: JSON, or a word on each line. The service checks the content. */
export async function contentOfFile(file: File): Promise<{ name: string } & CorpusContent> {
  const content = await file.text();
  const named = /^# name: *(.+)$/m.exec(content)?.[1];
  const name = (named ?? file.name.replace(/\.\w+$/, '')).trim().slice(0, 200);
  if (!/^\s*[[{]/.test(content)) return { name, tsv: content };
  const parsed: unknown = JSON.parse(content);
  const entries = Array.isArray(parsed) ? parsed : (parsed as { entries: unknown }).entries;
  return { name, entries: entries as CorpusEntry[] };
}
