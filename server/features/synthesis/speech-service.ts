import { createDrainTracker } from '@jyutsing/concurrency/drain-tracker';
import { FairScheduler } from '@jyutsing/concurrency/fair-scheduler';
import { makeSpeechFile, type FileShape, type SpeechFile } from './make-speech-file.ts';
import type { ChooseModel, RenderSpeechFile, Speak, Speech, StreamEvent } from './speech.ts';
import { mayStall, startInTime } from './start-in-time.ts';
import { streamSpeech, type SpeechStream } from './stream-speech.ts';

export type SpeechStages = {
  speak: Speak;
  chooseModel: ChooseModel;
  renderSpeechFile: RenderSpeechFile;
  /** Calls that run at a time, of all models that compute in worker processes. */
  concurrency: number;
  /** Holds files while they are made; emptied when the process starts. */
  incomingDir: string;
};

export type SpeechService = {
  chooseModel: ChooseModel;
  /**
   * Yields the whole speech as one continuous sound while it is read: at most half a minute of a
   * piece and one piece after it are made ahead of a slow reader. `speed` and `pitchSemitones` have
   * an effect only if the model adjusts them itself. Speech of a model that may be slower than its
   * sound begins when the rest will be made in time. An aborted signal ends it by throwing its
   * reason.
   */
  stream(speech: Speech, signal: AbortSignal): AsyncGenerator<StreamEvent>;
  /**
   * Makes a file of the whole speech, with speed and pitch for every model. Dispose of it to delete
   * the file. Throws `invalid_parameter` for a duration that the speech cannot have.
   */
  makeFile(speech: Speech, shape: FileShape, signal: AbortSignal): Promise<SpeechFile>;
  /**
   * Waits for running speech, aborts it after `withinMs` with `service_unavailable`, and refuses
   * new speech.
   */
  drain(withinMs: number): Promise<void>;
};

export function createSpeechService(stages: SpeechStages): SpeechService {
  const { speak, chooseModel, renderSpeechFile, concurrency, incomingDir } = stages;
  const work = createDrainTracker();
  const scheduler = new FairScheduler(concurrency);

  async function* stream(
    speech: Speech,
    signal: AbortSignal,
    made?: SpeechStream['made'],
  ): AsyncGenerator<StreamEvent> {
    const end = work.begin();
    try {
      yield* streamSpeech({ speak, scheduler, ...(made === undefined ? {} : { made }) }, speech, signal);
    } finally {
      end();
    }
  }
  function streamInTime(speech: Speech, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    if (!mayStall(speech)) return stream(speech, signal);
    const made = { share: 0, longestPartMs: 0 };
    return startInTime(stream(speech, signal, made), made);
  }

  return {
    chooseModel,
    stream: (speech, signal) => streamInTime(speech, work.until(signal)),
    makeFile: (speech, shape, signal) =>
      work.run(signal, (stop) => makeSpeechFile({ stream, renderSpeechFile, incomingDir }, speech, shape, stop)),
    drain: (withinMs) => work.drain(withinMs),
  };
}
