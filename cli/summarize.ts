import type { Command } from 'commander';
import { summaryLanguage } from './argument-parsers.ts';
import { connect } from './connection.ts';
import { print } from './output.ts';

type Flags = { language?: string; subtitles?: string; transcript?: true };

/** `summarize <url>`. */
export function addSummarizeCommand(program: Command): void {
  program
    .command('summarize')
    .description('summarize a video')
    .argument('<url>', 'address of a YouTube video')
    .option('-l, --language <language>', 'cantonese (default), mandarin, english, japanese or korean', summaryLanguage)
    .option('--subtitles <track>', 'a caption track by its name or code; otherwise the first')
    .option('--transcript', 'print the transcript before the summary')
    .addHelpText('after', '\nExample:\n  jyutsing summarize https://youtu.be/dQw4w9WgXcQ --language english')
    .action(async (url: string, { language, subtitles, transcript }: Flags, command: Command) => {
      await using connection = await connect(command);
      const { signal } = connection;
      const video = await connection.client.summarize(url, { language, subtitles, signal });
      print(command, video, () => {
        const title = video.title === undefined ? [] : [video.title];
        return [...title, ...(transcript === true ? [video.transcript] : []), video.summary].join('\n\n');
      });
    });
}
