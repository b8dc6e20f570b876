import { readFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import type { Alignment, AlignmentFormat, Language } from '@jyutsing/client';
import { language } from './argument-parsers.ts';
import { connect } from './connection.ts';
import { formatTable, print } from './output.ts';

type AlignOptions = { language?: Language; text: string; format?: AlignmentFormat };

/** `align <recording> --text <file>`. */
export function addAlignCommand(program: Command): void {
  program
    .command('align')
    .description('find the times of a text in its recording: sentences, words and characters')
    .argument('<recording>', 'a recording of any length that is transcribed')
    .requiredOption('-t, --text <file>', 'the file with the text')
    .option('-l, --language <language>', 'cantonese (default), mandarin or english', language)
    .addOption(new Option('-f, --format <format>', 'a file on standard output').choices(['srt', 'vtt', 'textgrid']))
    .addHelpText('after', '\nExample:\n  jyutsing align talk.mp3 --text talk.txt --format textgrid > talk.TextGrid')
    .action(async (recording: string, options: AlignOptions, command: Command) => {
      const { text: path, format, ...spoken } = options;
      const text = await readFile(path, 'utf8').catch(() => command.error(`error: cannot read ${path}`));
      if (text.trim() === '') command.error('error: there is no text to align');
      await using connection = await connect(command);
      const { client, signal } = connection;
      if (format !== undefined) {
        process.stdout.write(await client.align(recording, text, { ...spoken, format, signal }));
        return;
      }
      const alignment = await client.align(recording, text, { ...spoken, signal });
      print(command, alignment, () => describe(alignment));
    });
}

/** The sentences with their times, and what was said otherwise. */
function describe({ segments, disagreements }: Alignment): string {
  const rows = segments.map(({ text, start, end }) => [start.toFixed(2), end.toFixed(2), text]);
  const sentences = formatTable(['start', 'end', 'text'], rows);
  if (disagreements.length === 0) return sentences;
  const differing = disagreements.map(({ text, heard: spoken, start }) => [
    start.toFixed(2),
    text || '–',
    spoken || '–',
  ]);
  return `${sentences}\n\n${formatTable(['at', 'written', 'said'], differing)}`;
}
