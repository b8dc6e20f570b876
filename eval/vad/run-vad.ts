import { AppError } from '@jyutsing/contracts/errors';
import { createDetectorOf } from '@jyutsing/engines/runtime/speech-detection';
import { SPEECH_DETECTORS } from '@jyutsing/engines/runtime/variables';
import { readRttm } from '../diarization/diarization-error.ts';
import { findAnnotated } from '../diarization/find-voices.ts';
import { readSets } from '../find-sets.ts';
import { startProgress } from '../progress.ts';
import { asTable, percent } from '../report.ts';
import type { EvaluationOptions } from '../run.ts';
import { readSamples } from '../sound.ts';
import { measureVad } from './measure-vad.ts';
import { vadConditions, type Annotated, type Condition } from './vad-conditions.ts';

type VadOptions = Pick<EvaluationOptions, 'locations' | 'place' | 'limit' | 'format'> & {
  detectors: readonly string[];
};

const HEADER = ['sound', 'detector', 'recordings', 'missed speech', 'other sound taken', '× real time (CPU)'];

/**
 * Compares the voice activity detectors on speech near and far, meetings, music and noises, and
 * prints the table. Sentences are the Cantonese recordings with text. Throws `invalid_parameter`
 * for an unknown detector.
 */
export async function runVad({ locations, place, limit, format, detectors }: VadOptions): Promise<number> {
  const unknown = detectors.find((name) => !(SPEECH_DETECTORS as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new AppError(
      'invalid_parameter',
      `There is no detector "${unknown}": name ${SPEECH_DETECTORS.join(' or ')}.`,
    );
  }
  const lines: string[][] = [];
  for (const condition of [...vadConditions(await sentences(locations, limit)), ...(await meetings(locations))]) {
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
  console.log(asTable(HEADER, lines, format));
  return 0;
}

async function sentences(locations: VadOptions['locations'], limit: number): Promise<Float32Array[]> {
  const items = (await readSets(locations)).flatMap((set) => set.items);
  const spoken = items.filter(({ text, language }) => language === 'cantonese' && text !== null);
  const sounds: Float32Array[] = [];
  for (const { path } of spoken.slice(0, limit)) sounds.push(await readSamples(path));
  return sounds;
}

async function meetings({ folders, sets }: VadOptions['locations']): Promise<Condition[]> {
  const recordings: Annotated[] = [];
  for (const { path, rttmPath } of await findAnnotated([...folders, ...sets])) {
    recordings.push({ samples: await readSamples(path), speech: await readRttm(rttmPath) });
  }
  return recordings.length === 0 ? [] : [{ name: 'meetings', make: () => recordings }];
}
