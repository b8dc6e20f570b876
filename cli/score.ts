import { stdout } from 'node:process';
import { styleText } from 'node:util';
import type { Command } from 'commander';
import type { Language, Score } from '@jyutsing/client';
import { language } from './argument-parsers.ts';
import { connect } from './connection.ts';
import { drawContour, targetContour } from './contour.ts';
import { formatTable, print } from './output.ts';

type ScoreOptions = { language?: Language; speaker?: string };

/** `score <recording> <text>`. */
export function addScoreCommand(program: Command): void {
  program
    .command('score')
    .description('score the pronunciation of a text, syllable by syllable with its tone contour')
    .argument('<recording>', 'a file of 0.1 to 60 seconds')
    .argument('<text>', 'what should have been said')
    .option('-l, --language <language>', 'cantonese (default), mandarin or english', language)
    .option('--speaker <id>', 'who speaks: the tones of the same person are judged better from the second recording on')
    .addHelpText('after', "\nExample:\n  jyutsing score me.wav '香港' --speaker me")
    .action(async (recording: string, text: string, options: ScoreOptions, command: Command) => {
      if (text.trim() === '') command.error('error: there is no text to score');
      await using connection = await connect(command);
      const { signal } = connection;
      const score: Score = await connection.client.score(recording, text, { ...options, signal });
      print(command, score, () => describeScore(score, stdout));
    });
}

type Verdict = Score<'cantonese'>['syllables'][number]['verdict'];
const COLOURS = { right: 'green', variant: 'yellow', unsure: 'yellow', wrong: 'red', omitted: 'red' } as const;

/** The score with a table of its syllables or words; coloured where the stream shows colours. */
function describeScore(score: Score, stream: NodeJS.WritableStream): string {
  const colour = (verdict: Verdict, text: string) =>
    styleText(COLOURS[verdict], text, { stream: stream as NodeJS.WriteStream });
  const head = `${Math.round(score.score)} of 100: ${score.passed ? 'passed' : 'not passed'}`;
  return `${head}\n\n${'syllables' in score ? syllableTable(score, colour) : wordTable(score, colour)}`;
}

type Colour = (verdict: Verdict, text: string) => string;

function syllableTable(score: Score<'cantonese' | 'mandarin'>, colour: Colour): string {
  const rows = score.syllables.map(
    ({ text, expected, heard: heardReading, score: points, verdict, tone, onset, rime }, index) => {
      const parts = Object.entries({ onset, rime, tone }).filter(([, part]) => part.verdict === 'wrong');
      const wrong = verdict === 'omitted' ? 'not heard' : parts.map(([name]) => name).join(', ');
      return [
        colour(verdict, text),
        expected,
        colour(verdict, heardReading ?? '–'),
        Math.round(points),
        colour(tone.verdict, drawContour(tone.contour)),
        drawContour(targetContour(score.language, tone.expected, score.syllables[index - 1]?.tone.expected)),
        colour(verdict, wrong),
      ];
    },
  );
  return formatTable(['', 'expected', 'heard', 'score', 'tone', 'target', 'wrong'], rows);
}

function wordTable(score: Score<'english'>, colour: Colour): string {
  const rows = score.words.map(({ text, score: points, verdict, phonemes }) => [
    colour(verdict, text),
    Math.round(points),
    phonemes
      .map(({ expected, heard: heardPhone, verdict: phoneVerdict }) => {
        const change = heardPhone === expected ? expected : `${expected || '–'}→${heardPhone ?? '–'}`;
        return colour(phoneVerdict, change);
      })
      .join(' '),
  ]);
  return formatTable(['word', 'score', 'phonemes'], rows);
}
