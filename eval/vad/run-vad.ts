import { AppError } from '@jyutsing/contracts/errors';
import { loadEngines } from '@jyutsing/engines/registry';
import { createDetectorOf } from '@jyutsing/engines/runtime/speech-detection';
import { SPEECH_DETECTORS } from '@jyutsing/engines/runtime/variables';
import { readRttm } from '../diarization/diarization-error.ts';
import { findAnnotated } from '../diarization/find-voices.ts';
import { readSets } from '../find-sets.ts';
import { startProgress } from '../progress.ts';
import { asTable, percent } from '../report.ts';
import type { EvaluationOptions } from '../run.ts';
import { readSamples } from '../sound.ts';
import { measureText, type Spoken } from './measure-text.ts';
import { measureVad } from './measure-vad.ts';
import { textConditions } from './text-conditions.ts';
import { vadConditions, type Annotated, type Condition } from './vad-conditions.ts';

type VadOptions = Pick<EvaluationOptions, 'locations' | 'place' | 'limit' | 'format'> & {
  detectors: readonly string[];
  /** Whether texts are compared instead of times. */
  withText: boolean;
};

const HEADER = ['sound', 'detector', 'recordings', 'missed speech', 'other sound taken', '× real time (CPU)'];
const TEXT_HEADER = ['sound', 'detector', 'recordings', 'with text', 'characters right', 'of', 'others', '× real time'];

/**
 * Compares the voice activity detectors on speech near and far, meetings, music and noises, or the
 * texts that the built-in recognizer writes behind them, and prints the table. Sentences are the
 * Cantonese recordings with text. Throws `invalid_parameter` for an unknown detector.
 */
export async function runVad(options: VadOptions): Promise<number> {
  const { detectors } = options;
  const unknown = detectors.find((name) => !(SPEECH_DETECTORS as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new AppError(
      'invalid_parameter',
      `There is no detector "${unknown}": name ${SPEECH_DETECTORS.join(' or ')}.`,
    );
  }
  const lines = options.withText ? await compareTexts(options) : await compareTimes(options);
  console.log(asTable(options.withText ? TEXT_HEADER : HEADER, lines, options.format));
  return 0;
}

async function compareTimes({ locations, place, limit, detectors }: VadOptions): Promise<string[][]> {
  const lines: string[][] = [];
  const clean = (await sentences(locations, limit)).map(({ samples }) => samples);
  for (const condition of [...vadConditions(clean), ...(await meetings(locations))]) {
    const recordings = [...condition.make()];
    const seconds = recordings.reduce((sum, { samples }) => sum + samples.length / 16_000, 0);
    for (const name of detectors) {
      const progress = startProgress(`${condition.name}, ${name}`, recordings.length);
      const env = { ...place.env, settings: { ...place.env.settings, STT_VAD: name } };
      const error = await measureVad(recordings, createDetectorOf(env));
      progress.finish('done');
      lines.push([
        condition.name,
        name,
        String(recordings.length),
        percent(error.speechMs === 0 ? null : error.missedMs / error.speechMs),
        percent(error.otherMs === 0 ? null : error.takenMs / error.otherMs),
        (seconds / error.cpuSeconds).toFixed(0),
      ]);
    }
  }
  return lines;
}

async function compareTexts({ locations, place, limit, detectors }: VadOptions): Promise<string[][]> {
  const lines: string[][] = [];
  const registry = await loadEngines(place);
  const engine = registry.engines('recognizer').find(({ name }) => name === 'builtin');
  if (engine === undefined) throw new AppError('engine_unavailable');
  for (const condition of textConditions(await sentences(locations, limit))) {
    const recordings = [...condition.make()];
    const seconds = recordings.reduce((sum, { samples }) => sum + samples.length / 16_000, 0);
    for (const name of detectors) {
      const progress = startProgress(`${condition.name}, ${name}`, recordings.length);
      const env = { ...place.env, settings: { ...place.env.settings, STT_VAD: name } };
      const recognizer = await engine.open(env, 'builtin');
      const counts = await measureText(recordings, recognizer);
      await recognizer.close();
      progress.finish('done');
      const figures = [recordings.length, counts.withText, counts.right, counts.expected, counts.extra];
      lines.push([condition.name, name, ...figures.map(String), (seconds / counts.cpuSeconds).toFixed(0)]);
    }
  }
  return lines;
}

async function sentences(locations: VadOptions['locations'], limit: number): Promise<Spoken[]> {
  const items = (await readSets(locations)).flatMap((set) => set.items);
  const spoken = items.filter(({ text, language }) => language === 'cantonese' && text !== null);
  const sounds: Spoken[] = [];
  for (const { path, text } of spoken.slice(0, limit))
    sounds.push({ samples: await readSamples(path), text: text ?? '' });
  return sounds;
}

async function meetings({ folders, sets }: VadOptions['locations']): Promise<Condition[]> {
  const recordings: Annotated[] = [];
  for (const { path, rttmPath } of await findAnnotated([...folders, ...sets])) {
    recordings.push({ samples: await readSamples(path), speech: await readRttm(rttmPath) });
  }
  return recordings.length === 0 ? [] : [{ name: 'meetings', make: () => recordings }];
}
