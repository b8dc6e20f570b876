import { statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { stdin, stdout } from 'node:process';
import { Option, type Command } from 'commander';
import { inParallel } from '@jyutsing/concurrency/in-parallel';
import { MAX_SPEAKERS } from '@jyutsing/contracts/diarizer';
import { AppError } from '@jyutsing/contracts/errors';
import { submitRecording } from '#server/mcp/submit-recording.ts';
import { InvalidRequestError, JyutsingError, TranscriptionError, type TranscribeOptions } from '@jyutsing/client';
import type { TranscriptionJob, TranscriptionRecord, TranslationLanguage } from '@jyutsing/client';
import { numberWithin, spokenLanguage } from './argument-parsers.ts';
import { connect, type Connection } from './connection.ts';
import { formatConversation } from './conversation.ts';
import { describeRefusal } from './describe-refusal.ts';
import { terminalText } from './terminal-text.ts';
import { noticeFallback } from './fallback-notice.ts';
import { print } from './output.ts';
import { openTranscriptFile, openTranscriptFolder, type TranscriptFolder } from './transcript-folder.ts';
import { showJobs, type JobsProgress } from './jobs-progress.ts';
import { recordingsOf } from './recordings-of.ts';
import { requireModel } from './require-model.ts';
import { Interrupted } from './signals.ts';
import { wholeNumber } from './whole-number.ts';

const FORMATS = ['txt', 'srt', 'vtt', 'json', 'md', 'docx', 'apkg'] as const;
const TRANSLATIONS = ['english', 'mandarin', 'written_chinese', 'japanese', 'korean'] as const;
/** Files that are no text. */
const BINARY: readonly Format[] = ['docx', 'apkg'];
type Format = (typeof FORMATS)[number];
const STDIN = '-';
const THRESHOLD = numberWithin({ min: 0, max: 2, aboveMin: true });

export type Flags = {
  format: Format;
  out?: string;
  /** `out` is one file, not a folder. */
  isFile: boolean;
  language?: string;
  diarize?: true;
  channels?: 'mix' | 'separate';
  speakers?: number;
  diarizationThreshold?: number;
  punctuation: boolean;
  numerals: boolean;
  context?: string;
  fusion: boolean;
  corpora?: string;
  model?: string;
  translate?: TranslationLanguage;
  bilingual?: true;
  jobs: number;
  again?: true;
};
type GivenFlags = Omit<Flags, 'isFile'>;

/** The options that decide about a transcript and its file. */
export function addTranscriptOptions(command: Command): Command {
  return command
    .addOption(new Option('-f, --format <format>', 'what to write').choices(FORMATS).default('txt'))
    .option('-o, --out <path>', 'a folder: write a file for each new recording; or a file, such as x.srt')
    .option('-l, --language <language>', 'cantonese (default), mandarin, english or auto', spokenLanguage)
    .option('-d, --diarize', 'tell the speakers apart')
    .addOption(
      new Option('--channels <how>', 'separate: each channel is a speaker (default: mix)').choices(['mix', 'separate']),
    )
    .option('--speakers <count>', 'how many people speak', numberWithin({ min: 1, max: MAX_SPEAKERS, isWhole: true }))
    .option('--diarization-threshold <distance>', 'of voices of one speaker (sherpa-onnx)', THRESHOLD)
    .option('--no-punctuation', 'without commas and full stops')
    .option('--no-numerals', 'numbers as words, not in digits')
    .option('--context <text>', 'topic and names, for the correction')
    .option('--no-fusion', 'without correction after recognition, which is faster')
    .option('--corpora <ids>', 'ids of corpora, separated by commas')
    .option('--model <model>', 'a recognition model of `jyutsing models list`')
    .addOption(new Option('--translate <language>', 'write the translation').choices(TRANSLATIONS))
    .option('--bilingual', 'with --translate: the text and its translation')
    .option('-j, --jobs <count>', 'recordings at a time', wholeNumber, 4);
}

/** `transcribe <recordings…>`. */
export function addTranscribeCommand(program: Command): void {
  addTranscriptOptions(program.command('transcribe'))
    .description('turn recordings into text or subtitles')
    .argument(
      '<recordings...>',
      'files of sound or video, folders of them, addresses (https://…), or - for standard input',
    )
    .option('--again', 'also recordings that are done')
    .addHelpText(
      'after',
      `
Examples:
  jyutsing transcribe meeting.m4a --diarize
  jyutsing transcribe meeting.m4a --out meeting.srt
  jyutsing transcribe interviews/ --format srt --out subtitles/
  jyutsing transcribe talk.mp4 --translate english --bilingual --out talk.srt
  ffmpeg -i radio.m3u8 -t 60 -f wav - | jyutsing transcribe -`,
    )
    .action(async (recordings: string[], givenFlags: GivenFlags, command: Command) => {
      if (givenFlags.out === undefined && BINARY.includes(givenFlags.format)) {
        command.error(`error: ${givenFlags.format} is written to a file; say which with --out`);
      }
      const sources = [...new Set(recordingsOf(recordings, say))];
      const flags = { ...givenFlags, ...targetOf(givenFlags, sources.length, command) };
      const folder = await openTarget(flags);
      await using connection = await connect(command);
      await requireModel(connection.client, flags.model, 'recognizer', connection.signal);
      const progress = showJobs(sources.length, process.stderr);
      const work = { ...connection, command, flags, folder, progress };
      const outcomes = await inParallel(sources, flags.jobs, (source) => transcribeOne(source, work)).finally(() =>
        progress.stop(),
      );
      if (connection.signal.aborted) throw connection.signal.reason;
      if (outcomes.some(({ isFallback }) => isFallback)) noticeFallback();
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome.text !== null) printText(outcome, index, sources.length, command);
      }
      progress.sayFailures();
      if (outcomes.some(({ hasFailed }) => hasFailed)) process.exitCode = 1;
    });
}

const say = (sentence: string) => void process.stderr.write(`${sentence}\n`);

/** Exits with a usage error when `--out` is one file that these recordings cannot be written to. */
function targetOf({ out, format }: GivenFlags, count: number, command: Command): Pick<Flags, 'isFile' | 'format'> {
  const named = FORMATS.find(
    (candidate) =>
      candidate ===
      extname(out ?? '')
        .slice(1)
        .toLowerCase(),
  );
  if (out === undefined || named === undefined) return { isFile: false, format };
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory() === true) return { isFile: false, format };
  if (count > 1) command.error(`error: ${out} is one file; for several recordings --out must be a folder`);
  const isChosen = command.getOptionValueSource('format') !== 'default';
  if (isChosen && format !== named) command.error(`error: ${out} does not end in .${format}`);
  return { isFile: true, format: named };
}

async function openTarget(flags: Flags): Promise<TranscriptFolder | null> {
  if (flags.out === undefined) return null;
  return flags.isFile ? await openTranscriptFile(flags.out) : await openTranscriptFolder(flags.out, settingsOf(flags));
}

export type Work = Connection & {
  command: Command;
  flags: Flags;
  folder: TranscriptFolder | null;
  progress: JobsProgress;
};

/**
 * `text`: what is to be printed; null when it was written to a file, and after a failure.
 * `isFallback`: the built-in recognizer made it.
 */
type Outcome = {
  source: string;
  text: string | null;
  hasFailed: boolean;
  isFallback: boolean;
  /** It failed for a reason that has nothing to do with the recording. */
  mayWorkLater: boolean;
};
const DONE = { text: null, hasFailed: false, isFallback: false, mayWorkLater: false } as const;

/** Failures that are about the recording. */
const REFUSALS = [InvalidRequestError, TranscriptionError];
const NOTICES = { cut_off: 'ends too early', one_channel: 'has a single channel' } as const;

export async function transcribeOne(source: string, work: Work): Promise<Outcome> {
  const { client, command, flags, folder, progress, signal } = work;
  const bar = progress.add(source === STDIN ? 'standard input' : source);
  const place = await folder?.placeFor(source, flags.format);
  if (place?.isDone === true && flags.again !== true) {
    bar.end('done before');
    return { ...DONE, source };
  }
  let job: TranscriptionJob | null = null;
  try {
    const onUpload = (fraction: number) => bar.update(fraction, 'upload');
    const options = { ...optionsOf(flags), title: source === STDIN ? undefined : titleOf(source) };
    job = await submitRecording(client, source === STDIN ? stdin : source, options, onUpload, signal);
    for await (const { fraction, stage } of job.progress({ signal })) bar.update(fraction, stage);
    const { quality, notice } = await recordOf(job, signal);
    const isFallback = quality === 'fallback';
    if (flags.translate !== undefined) {
      bar.update(1, 'translation');
      await job.translate(flags.translate, { signal });
    }
    const content = await contentOf(job, flags);
    await place?.write(content);
    const text = typeof content === 'string' ? content : null;
    bar.end(notice === undefined ? 'done' : `done, but the recording ${NOTICES[notice]}`);
    return { ...DONE, source, text: place === undefined ? text : null, isFallback };
  } catch (failure) {
    if (signal.aborted) await job?.cancel().catch(() => {});
    const isExpected = [JyutsingError, AppError, Interrupted].some((kind) => failure instanceof kind);
    if (signal.aborted) bar.end('cancelled');
    else if (!isExpected) bar.end('failed');
    else bar.fail(failure instanceof JyutsingError ? describeRefusal(failure, command) : (failure as Error).message);
    if (!isExpected) throw failure;
    return { ...DONE, source, hasFailed: true, mayWorkLater: !REFUSALS.some((kind) => failure instanceof kind) };
  }
}

/** The service takes titles of so many UTF-16 units. */
const MAX_TITLE = 200;

/** The name of a recording without its extension. */
function titleOf(source: string): string {
  const name = basename(source);
  // A character of two units is not cut in half.
  return (basename(name, extname(name)) || name).slice(0, MAX_TITLE).replace(/[\u{D800}-\u{DBFF}]$/u, '');
}

/** Only notices depend on the record, so a service that does not give it is no failure. */
async function recordOf(job: TranscriptionJob, signal: AbortSignal): Promise<Partial<TranscriptionRecord>> {
  return job.record({ signal }).catch(() => ({}));
}

function optionsOf(flags: Flags): TranscribeOptions {
  return {
    language: flags.language,
    diarization: flags.diarize,
    channels: flags.channels,
    speakers: flags.speakers,
    diarizationThreshold: flags.diarizationThreshold,
    punctuation: flags.punctuation ? undefined : false,
    numerals: flags.numerals ? undefined : false,
    context: flags.context,
    fusion: flags.fusion ? undefined : false,
    corpora: flags.corpora?.split(',').map((id) => id.trim()),
    model: flags.model,
    // Cards have the sound of their sentences.
    keepAudio: flags.format === 'apkg' ? true : undefined,
  };
}

async function contentOf(
  job: TranscriptionJob,
  { format, diarize, channels, out, translate: language, bilingual }: Flags,
): Promise<string | Uint8Array> {
  const options = { language, bilingual };
  if (format === 'json') return `${JSON.stringify(await job.json(options), null, 2)}\n`;
  const hasSpeakers = diarize === true || channels === 'separate';
  if (format === 'txt' && hasSpeakers && out === undefined && language === undefined) {
    return formatConversation((await job.json()).segments, stdout);
  }
  const content = await job[format](options);
  return typeof content === 'string' ? content : new Uint8Array(await content.arrayBuffer());
}

function printText({ source, text }: Outcome, index: number, count: number, command: Command): void {
  const { json } = command.optsWithGlobals<{ json?: boolean }>();
  if (json === true) return print(command, { source, text }, () => '');
  if (count > 1) stdout.write(`${index === 0 ? '' : '\n'}== ${terminalText(source)}\n`);
  stdout.write(`${(text ?? '').trimEnd()}\n`);
}

/**
 * Returns the settings that decide the content of a transcript: a file made with other values is
 * out of date.
 */
export function settingsOf({ jobs: _jobs, out: _out, isFile: _isFile, again: _again, ...settings }: Flags): string {
  return JSON.stringify(Object.entries(settings).toSorted());
}
