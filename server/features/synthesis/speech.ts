import type { SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import { createDrainTracker } from '@jyutsing/concurrency/drain-tracker';
import { makeSpeechFile, type FileShape, type SpeechFile } from './make-speech-file.ts';
import { speakParts } from './speak-parts.ts';
import type { ChooseSpeaker, RenderSpeechFile, Speak, SpeakCall, Speech } from './stages.ts';
import { DeadlineScheduler } from '@jyutsing/concurrency/deadline-scheduler';

export type SpeechStages = {
  speak: Speak;
  chooseSpeaker: ChooseSpeaker;
  renderSpeechFile: RenderSpeechFile;
  /** Where files lie while they are made; cleaned when the process starts. */
  incomingDir: string;
};

export type SpeechService = {
  chooseSpeaker: ChooseSpeaker;
  /**
   * The whole speech as one stretch of sound, made as it is taken: half a minute of a piece may wait for a slow listener, and one piece
   * after it. `speed` and `pitchSemitones` have an effect only where the speaker adjusts them itself. An aborted signal ends it at once by
   * throwing its reason.
   */
  stream(speech: Speech, signal: AbortSignal): AsyncGenerator<SynthesisEvent>;
  /**
   * The whole speech as a file, with speed and pitch whoever speaks. Dispose of it to delete the file. Throws `invalid_parameter` for a
   * duration that the speech cannot have, and what the stages throw.
   */
  makeFile(speech: Speech, shape: FileShape, signal: AbortSignal): Promise<SpeechFile>;
  /** Waits until nothing is spoken any more, and ends what still is after `withinMs` with `service_unavailable`. Nothing is begun after it. */
  drain(withinMs: number): Promise<void>;
};

export function createSpeechService({
  speak,
  chooseSpeaker,
  renderSpeechFile,
  incomingDir,
}: SpeechStages): SpeechService {
  const work = createDrainTracker();
  const turns = new DeadlineScheduler();

  async function* stream(speech: Speech, signal: AbortSignal): AsyncGenerator<SynthesisEvent> {
    const end = work.begin();
    try {
      const { script, speaker, ...rest } = speech;
      const call: SpeakCall = { ...rest, ...script, model: speaker };
      yield* speakParts({ speak, turns, speaker }, call, signal);
    } finally {
      end();
    }
  }

  return {
    chooseSpeaker,
    stream: (speech, signal) => stream(speech, work.until(signal)),
    makeFile: (speech, shape, signal) =>
      work.run(signal, (stop) => makeSpeechFile({ stream, renderSpeechFile, incomingDir }, speech, shape, stop)),
    drain: (withinMs) => work.drain(withinMs),
  };
}
