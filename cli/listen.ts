import { stdin, stdout } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { LiveEvent, LiveSession } from '@jyutsing/client';
import { AppError } from '@jyutsing/contracts/errors';
import { numberWithin, spokenLanguage } from './argument-parsers.ts';
import { connect } from './connection.ts';
import { hasOnlyFallback, noticeFallback } from './fallback-notice.ts';
import { readPcm, type Pcm } from './pcm-stream.ts';
import { requireModel } from './require-model.ts';

type Flags = { rate: number; language: string; model?: string; diarize?: true };

/** Sound of a file arrives at once; the service takes it about as fast as it is spoken. */
const MAX_AHEAD_MS = 2_000;

const RATE = numberWithin({ min: 8_000, max: 96_000, isWhole: true });

/** `listen -`. */
export function addListenCommand(program: Command): void {
  program
    .command('listen')
    .description('show live captions of the sound on standard input')
    .argument('<source>', '-: raw 16-bit mono PCM, or a WAV stream')
    .option('--rate <hertz>', 'sample rate of raw PCM', RATE, 16_000)
    .option('-l, --language <language>', 'mandarin, english or auto', spokenLanguage, 'cantonese')
    .option('--diarize', 'tell up to four speakers apart')
    .option('--model <model>', 'a model for live recognition of `jyutsing models list`')
    .addHelpText(
      'after',
      `
Examples:
  arecord -q -f S16_LE -r 16000 | jyutsing listen - --language english
  ffmpeg -loglevel error -i radio.m3u8 -f wav - | jyutsing listen -`,
    )
    .action(async (source: string, { rate, language, model, diarize }: Flags, command: Command) => {
      if (source !== '-') command.error(`error: captions are made of standard input: ${pipeOf(source)}`);
      const pcm = await readPcm(stdin, rate).catch((failure: unknown) => {
        if (!(failure instanceof AppError) || failure.code !== 'unsupported_audio_format') throw failure;
        return command.error(`error: ${failure.message} ${pipeOf('FILE')}`);
      });
      await using connection = await connect(command);
      const { client, signal } = connection;
      await requireModel(client, model, 'recognizer', signal);
      if (await hasOnlyFallback(client, { model, language }, signal)) noticeFallback();
      const { sampleRate, channels } = pcm;
      await using session = await client.listen({
        language,
        model,
        sampleRate,
        channels,
        diarization: diarize,
        signal,
      });
      const { json } = command.optsWithGlobals<{ json?: boolean }>();
      await Promise.all([send(pcm, session, signal), show(session, json === true)]);
    });
}

const pipeOf = (file: string) => `ffmpeg -i ${file} -f wav - | jyutsing listen -`;

async function send({ sampleRate, channels, chunks }: Pcm, session: LiveSession, signal: AbortSignal): Promise<void> {
  const startedMs = performance.now();
  const bytesPerMs = (sampleRate * channels * 2) / 1_000;
  let sentBytes = 0;
  for await (const chunk of chunks) {
    session.send(chunk);
    sentBytes += chunk.length;
    const aheadMs = sentBytes / bytesPerMs - (performance.now() - startedMs);
    if (aheadMs > MAX_AHEAD_MS) await sleep(aheadMs - MAX_AHEAD_MS, undefined, { signal });
  }
  session.close();
}

/** Final texts are lines; on a terminal the text that may still change is shown below them. */
async function show(session: LiveSession, isJson: boolean): Promise<void> {
  for await (const event of session) {
    if (isJson) stdout.write(`${JSON.stringify(event)}\n`);
    else if (event.type === 'text') stdout.write(lineOf(event, stdout.isTTY));
  }
}

const ERASE = '\r\u001b[K';

function lineOf({ text, isFinal, turns }: Extract<LiveEvent, { type: 'text' }>, isTerminal: boolean): string {
  const lines = turns?.map((turn) => `Speaker ${turn.speaker + 1}: ${turn.text}`) ?? [text];
  if (isFinal) return text === '' ? '' : `${isTerminal ? ERASE : ''}${lines.join('\n')}\n`;
  if (!isTerminal) return '';
  // A line that wraps could not be erased; of a long one the newest words matter.
  const visible = [...text].slice(-Math.floor(((stdout.columns || 80) - 2) / 2)).join('');
  return `${ERASE}${visible}`;
}
