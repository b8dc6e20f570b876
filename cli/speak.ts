import { existsSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { stdin, stdout } from 'node:process';
import { text as readText } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { InvalidArgumentError, type Command } from 'commander';
import type { Jyutsing, SpeakOptions, SpeechFormat } from '@jyutsing/client';
import { AppError } from '@jyutsing/contracts/errors';
import { replaceFile } from '@jyutsing/system/replace-file';
import { language, numberWithin } from './argument-parsers.ts';
import { connect } from './connection.ts';
import { joinSounds } from './join-sounds.ts';
import { prepareFile } from './output-place.ts';
import { findPlayer, startPlayer } from './player.ts';
import { readTextFile } from './read-text-file.ts';
import { requireModel } from './require-model.ts';
import { splitText } from './split-text.ts';

type Flags = {
  out?: string;
  voice?: string;
  language?: string;
  speed?: number;
  pitch?: number;
  model?: string;
  corpora?: string;
  file?: string;
  oneFile?: true;
};

/** The bounds of the service. */
export const SPEEDS = { min: 0.5, max: 3 };
const FORMATS: readonly string[] = ['wav', 'mp3', 'ogg', 'flac'] satisfies SpeechFormat[];

/** `speak <text>`. */
export function addSpeakCommand(program: Command): void {
  program
    .command('speak')
    .description('speak a text: play it, or write it to a file')
    .argument('[text]', 'the text or SSML, or - for standard input')
    .option('--file <file>', 'speak the text of a file')
    .option(
      '-o, --out <file>',
      'write a file: .wav, .mp3, .ogg or .flac; long texts become several numbered files',
      soundFile,
    )
    .option('--one-file', 'with --out: a long text becomes one file (.wav, .mp3 or .ogg)')
    .option('-v, --voice <voice>', 'id of a voice of `jyutsing voices list`, or female, male')
    .option('-l, --language <language>', 'cantonese (default), mandarin or english', language)
    .option('--speed <factor>', '0.5 to 3; only for files', numberWithin(SPEEDS))
    .option('--pitch <semitones>', '-12 to 12; only for files', numberWithin({ min: -12, max: 12 }))
    .option('--model <model>', 'a model of `jyutsing models list`; only for files')
    .option('--corpora <ids>', 'ids of corpora with the readings of names, separated by commas, or none')
    .addHelpText(
      'after',
      `
Examples:
  jyutsing speak '聽日見！'
  jyutsing speak '聽日見！' --voice jasmine --out tomorrow.mp3
  jyutsing speak --file story.txt --out story.mp3 --one-file`,
    )
    .action(async (argument: string | undefined, { out, file, oneFile, ...flags }: Flags, command: Command) => {
      const text = await textOf(argument, file, command);
      if (oneFile === true && (out === undefined || extname(out).toLowerCase() === '.flac')) {
        command.error('error: --one-file needs --out with a name that ends in .wav, .mp3 or .ogg');
      }
      const parts = splitText(text);
      if (parts.length === 0) command.error('error: there is no text to speak');
      const player = out === undefined ? await choosePlayer(flags) : null;
      if (out !== undefined) await prepareFile(out);
      await using connection = await connect(command);
      await requireModel(connection.client, flags.model, 'synthesizer', connection.signal);
      const corpora = flags.corpora?.split(',').map((id) => id.trim());
      const options = { ...flags, corpora, signal: connection.signal };
      if (out !== undefined && oneFile === true) await writeOne(connection.client, parts, out, options);
      else if (out !== undefined) await writeParts(connection.client, parts, out, options);
      else if (player === null) await writeWav(connection.client, parts, options);
      else await play(connection.client, parts, player, options);
    });
}

/**
 * Returns the text to speak. A name of a file in its place is asked about, because it would be
 * spelled out.
 */
async function textOf(argument: string | undefined, file: string | undefined, command: Command): Promise<string> {
  if ((argument === undefined) === (file === undefined)) {
    return command.error('error: give either a text or --file');
  }
  if (file !== undefined) return readTextFile(file);
  const text = argument ?? '';
  if (text === '-') return readText(stdin);
  if (extname(text) !== '' && existsSync(text) && statSync(text).isFile()) {
    return command.error(`error: ${text} is a file; to speak what is in it: jyutsing speak --file '${text}'`);
  }
  return text;
}

/**
 * The program that plays; null when standard output goes to a file or another program, which then
 * gets a WAV file.
 */
async function choosePlayer(flags: Flags): Promise<string | null> {
  if (!stdout.isTTY) return null;
  const fileOnly = (['speed', 'pitch', 'model'] as const).find((name) => flags[name] !== undefined);
  if (fileOnly !== undefined) {
    throw new AppError('invalid_parameter', `--${fileOnly} needs --out, because sound that is played is streamed.`);
  }
  const player = await findPlayer();
  if (player !== null) return player;
  throw new AppError(
    'invalid_parameter',
    'There is no program that plays sound (pw-cat, paplay, aplay, play or ffplay); install one, or write a file with --out.',
  );
}

/** Long texts become several files; each is complete as soon as it is there. */
async function writeParts(
  client: Jyutsing,
  parts: readonly string[],
  out: string,
  options: SpeakOptions,
): Promise<void> {
  const extension = extname(out);
  const stem = out.slice(0, out.length - extension.length);
  const digits = String(parts.length).length;
  for (const [index, part] of parts.entries()) {
    const number = String(index + 1).padStart(digits, '0');
    const path = parts.length === 1 ? out : `${stem}-${number}${extension}`;
    await client.speak(part, options).toFile(path);
    process.stderr.write(`${path}\n`);
  }
}

/** A long text becomes one file, which is there when all of it was spoken. */
async function writeOne(client: Jyutsing, parts: readonly string[], out: string, options: SpeakOptions): Promise<void> {
  const extension = extname(out).toLowerCase();
  const sounds: Uint8Array[] = [];
  for (const part of parts) {
    const format = extension.slice(1) as SpeechFormat;
    const sound = await client.speak(part, { ...options, format }).blob();
    sounds.push(new Uint8Array(await sound.arrayBuffer()));
  }
  await replaceFile(out, joinSounds(sounds, extension));
  process.stderr.write(`${out}\n`);
}

async function writeWav(client: Jyutsing, parts: readonly string[], options: SpeakOptions): Promise<void> {
  if (parts.length > 1) {
    throw new AppError(
      'invalid_parameter',
      'The text is too long to be printed as one file; name it with --out, and add --one-file.',
    );
  }
  const file = await client.speak(parts[0]!, { ...options, format: 'wav' }).blob();
  await pipeline(file.stream(), stdout, { end: false });
}

async function play(client: Jyutsing, parts: readonly string[], program: string, options: SpeakOptions): Promise<void> {
  await using player = startPlayer(program);
  for (const part of parts) {
    for await (const pcm of client.speak(part, options)) await player.write(pcm);
  }
  await player.end();
}

function soundFile(path: string): string {
  if (FORMATS.includes(extname(path).slice(1).toLowerCase())) return path;
  throw new InvalidArgumentError('It must end in .wav, .mp3, .ogg or .flac.');
}
