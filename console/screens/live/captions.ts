import { signal } from '@preact/signals';
import { Jyutsing, type LiveEvent } from '@jyutsing/client';
import { captureSamples, CAPTURE_RATE_HZ } from '#console/audio/capture.ts';
import { startRecording, type Recorder } from '#console/audio/recorder.ts';
import { client, SERVICE_URL } from '#console/core/session.ts';
import { speakerName } from '#console/screens/transcript/speakers.tsx';

export type CaptionLanguage = 'cantonese' | 'mandarin' | 'english' | 'auto';

type CaptionOptions = { language: CaptionLanguage; title: string; diarization: boolean };

/** Captions while they are made. */
export type Captioning = {
  readonly recorder: Recorder;
  /** Ends the sound; the captions that remain follow. */
  finish(): Promise<void>;
};

/** The text that may still change. */
export const openText = signal('');

/**
 * Captions the microphone: `onLine` gets each finished text; `onEnd` gets the recording and the
 * failure that ended it, null after a normal end.
 */
export async function startCaptions(
  options: CaptionOptions,
  onLine: (line: string) => void,
  onEnd: (recording: File, failure: unknown) => void,
): Promise<Captioning> {
  const recorder = await startRecording(options.title);
  try {
    const session = await openSession(options);
    const stopCapture = await captureSamples(recorder.stream, (samples) => session.send(samples));
    const follow = async () => {
      let failure: unknown = null;
      try {
        for await (const event of session) {
          if (event.type !== 'text') continue;
          openText.value = event.isFinal ? '' : event.text;
          if (event.isFinal) for (const line of linesOf(event)) onLine(line);
        }
      } catch (reason) {
        failure = reason;
      }
      stopCapture();
      if (openText.value !== '') onLine(openText.value);
      openText.value = '';
      onEnd(await recorder.stop(), failure);
    };
    const over = follow();
    return {
      recorder,
      async finish() {
        stopCapture();
        session.close();
        await over;
      },
    };
  } catch (failure) {
    recorder.discard();
    throw failure;
  }
}

/** Opens a session with a key of its own, which can do nothing else and expires. */
async function openSession({ language, diarization }: Pick<CaptionOptions, 'language' | 'diarization'>) {
  const { value } = await client().clientSecret();
  const options = { language, diarization, sampleRate: CAPTURE_RATE_HZ };
  return new Jyutsing({ baseUrl: SERVICE_URL, apiKey: value }).listen(options);
}

/** A finished text, or what each speaker says of it. */
function linesOf({ text: whole, turns }: Extract<LiveEvent, { type: 'text' }>): string[] {
  const lines = turns?.map(({ speaker, text: line }) => `${speakerName(`SPEAKER_0${speaker}`, {})}: ${line}`) ?? [
    whole,
  ];
  return whole.trim() === '' ? [] : lines.map((line) => line.trim());
}
