import { z } from 'zod';
import { AppError, deserializeError } from '@jyutsing/contracts/errors';
import { DEFAULT_TURN_DETECTION, type LiveEvent } from '@jyutsing/contracts/live-recognition';
import type { Language } from '@jyutsing/contracts/transcript';
import { joinWords } from '@jyutsing/text/join-words';
import { ACCEPTED_CHOICES, readLanguage } from '@jyutsing/text/language-names';
import { parseFields } from '#http/fields.ts';
import { modelNamed } from '#http/known-model.ts';
import { openLiveStream, type LiveClient, type LiveSettings } from '#http/live/live-stream.ts';
import type { RealtimeDeps } from '#http/realtime/protocol.ts';
import type { WyomingClient } from './connection.ts';
import type { WyomingEvent } from './events.ts';
import { tagOf } from './languages.ts';

const name = z.string().max(200).nullish();
const Transcribe = z.object({ name, language: z.string().max(100).nullish() });

const SoundFields = z.object({
  rate: z.number().int().min(8_000, 'must be at least 8000').max(96_000, 'must be at most 96000'),
  width: z.literal(2, 'must be 2: samples of 16 bits'),
  channels: z.number().int().min(1, 'must be at least 1').max(8, 'must be at most 8'),
});

/** The choices of the event `transcribe` for the sound that follows. */
type TranscriptionChoice = Pick<LiveSettings, 'language' | 'model'>;

export const DEFAULT_CHOICE: TranscriptionChoice = { language: 'auto', model: null };

/** Throws `invalid_request` or `invalid_parameter`. Unknown models are ignored. */
export function parseTranscribe({ data }: WyomingEvent, { models }: Pick<RealtimeDeps, 'models'>): TranscriptionChoice {
  const { name: model, language: languageName } = parseFields(Transcribe, data);
  const language = readLanguage(languageName?.trim() || 'auto');
  if (language === null) throw new AppError('invalid_parameter', `The field "language" must be ${ACCEPTED_CHOICES}.`);
  return { language, model: modelNamed(models, 'recognizer', model ?? null).name };
}

/** Throws `invalid_request` for sound that cannot be read. */
export function parseFormat({ data }: WyomingEvent): LiveSettings['format'] {
  const { rate, channels } = parseFields(SoundFields, data);
  return { encoding: 'linear16', sampleRateHz: rate, channels };
}

/** One stream of sound and its transcript. */
type Transcription = AsyncDisposable & {
  /** Resolves when more may follow. Throws what `LiveStream` throws. */
  write(event: WyomingEvent): Promise<void>;
  /** Sends the transcript. */
  finish(): Promise<void>;
};

/**
 * Transcribes sound while it arrives. What no longer changes is sent as `transcript-chunk`; the
 * `transcript` after them is the text to keep.
 */
export function openTranscription(
  deps: RealtimeDeps,
  owner: LiveClient,
  choice: TranscriptionChoice,
  format: LiveSettings['format'],
  { send, fail }: Pick<WyomingClient, 'send' | 'fail'>,
): Transcription {
  const settings = { ...choice, format, languages: null, context: null, turnDetection: DEFAULT_TURN_DETECTION };
  const transcript = createTranscript((chunk) => void send(...chunk).catch(fail));
  let failure: { reason: unknown } | null = null;
  const stream = openLiveStream(deps, owner, settings, {
    onEvent: transcript.add,
    onFailure(reason) {
      failure = { reason };
      fail(reason);
    },
  });
  let present = JSON.stringify(format);
  return {
    async write(event) {
      const format = parseFormat(event);
      if (JSON.stringify(format) !== present) stream.configure({ ...settings, format: format });
      present = JSON.stringify(format);
      await stream.write(event.payload);
    },
    async finish() {
      await stream.end();
      if (failure !== null) throw failure.reason;
      for (const event of transcript.end()) await send(...event);
    },
    [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
  };
}

type Sent = [type: string, data: object];

/** Makes the events of a transcript from those of the recognition. */
function createTranscript(send: (event: Sent) => void) {
  const segments: string[] = [];
  let language: Language | null = null;
  let sentText = '';
  let isStarted = false;

  const sendChunk = (text: string) => {
    // Clients join the chunks, so text that differs from what they have is in `transcript` only.
    if (!text.startsWith(sentText) || text === sentText) return;
    if (!isStarted) send(['transcript-start', language === null ? {} : { language: tagOf(language) }]);
    isStarted = true;
    send(['transcript-chunk', { text: text.slice(sentText.length) }]);
    sentText = text;
  };
  return {
    /** Throws the error of a segment that could not be recognized. */
    add(event: LiveEvent): void {
      if (event.type === 'segment-failed') throw deserializeError(event.error);
      if (event.type !== 'segment-delta' && event.type !== 'segment-end') return;
      language = event.language;
      if (event.type === 'segment-delta') return sendChunk(joinWords([...segments, event.stableText]));
      segments.push(event.text);
      sendChunk(joinWords(segments));
    },
    /** The last events, also when nothing was recognized. */
    end(): Sent[] {
      const spoken = language === null ? {} : { language: tagOf(language) };
      return [
        ...(isStarted ? [] : [['transcript-start', spoken] satisfies Sent]),
        ['transcript', { text: joinWords(segments), ...spoken }],
        ['transcript-stop', {}],
      ];
    },
  };
}
