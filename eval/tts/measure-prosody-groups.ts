import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import { createRandom } from '#packages/numeric/random.ts';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import type { Scorer } from '#packages/engines/builtin/pronunciation/types.ts';
import { addBackground, backgroundOf } from '../../training/likeness/augment.ts';
import { analyzeRecording } from '../pronunciation/analyze-recording.ts';
import { findNatives } from '../pronunciation/native-trials.ts';
import { withScorer } from '../pronunciation/with-scorer.ts';
import { startProgress } from '../progress.ts';
import { readSamples } from '../sound.ts';
import type { EngineLocation } from '../tasks.ts';
import { measureProsody, type AlignedClip, type Prosody } from './prosody.ts';
import { speakToWav } from './spoken-set.ts';

/**
 * The prosody of people, of each half of them, and of engines that speak the same texts: as they
 * are, and with the background of the people's recordings, which fills pauses and closures alike.
 */
export type ProsodyGroups = {
  people: Prosody;
  halves: [Prosody, Prosody];
  engines: [name: string, Prosody][];
  inBackground: [name: string, Prosody][];
};

type Options = {
  /** Folders with the recordings of natives. */
  sets: readonly string[];
  voices: readonly SynthesisVoice[];
  models: readonly string[];
  temperature: number;
  limit: number;
  folder: string;
};

/**
 * Measures recordings of people and syntheses of their texts in the same way: the syllables of all
 * are found by the same alignment. Throws `invalid_parameter` without recordings.
 */
export async function measureProsodyGroups(
  { sets, voices, models, temperature, limit, folder }: Options,
  place: EngineLocation,
): Promise<ProsodyGroups> {
  const natives = await findNatives(sets, limit);
  if (natives === null) {
    throw new AppError('invalid_parameter', 'Name the folder that has yue-sentences-dev.tsv with --sets.');
  }
  const measured = await withScorer(place, 'cantonese', async (scorer) => {
    const progress = startProgress('prosody', natives.length);
    const people: AlignedClip[] = [];
    const engines = models.map((model): [string, AlignedClip[]] => [model, []]);
    const inBackground = models.map((model): [string, AlignedClip[]] => [model, []]);
    const random = createRandom(1);
    for (const [index, { path, text }] of natives.entries()) {
      people.push(...(await align(scorer, path, text)));
      const background = backgroundOf(await readSamples(path));
      for (const [at, [model, clips]] of engines.entries()) {
        const spoken = join(folder, `${model}-${index}.wav`);
        const voice = voices[index % voices.length]!;
        await writeFile(spoken, await speakToWav(text, 'cantonese', voice, { model, temperature }, place));
        const aligned = await align(scorer, spoken, text);
        clips.push(...aligned);
        inBackground[at]![1].push(
          ...aligned.map((clip) => ({ ...clip, samples: addBackground(clip.samples, background, random) })),
        );
      }
      progress.done(index + 1);
    }
    progress.finish('done');
    const half = (rest: number) => measureProsody(people.filter((_, index) => index % 2 === rest));
    return {
      people: measureProsody(people),
      halves: [half(0), half(1)] as [Prosody, Prosody],
      engines: engines.map(prosodyOf),
      inBackground: inBackground.map(prosodyOf),
    };
  });
  if (measured === null) throw new AppError('engine_unavailable', 'No Cantonese scorer is installed.');
  return measured;
}

const prosodyOf = ([model, clips]: [string, AlignedClip[]]): [string, Prosody] => [model, measureProsody(clips)];

/** No clip when the recording is refused; syllables that were not spoken are left out. */
async function align(scorer: Scorer, path: string, text: string): Promise<AlignedClip[]> {
  const target = await readTarget(text, 'cantonese');
  const analysis = await analyzeRecording(scorer, path);
  if ('refused' in analysis) return [];
  const assessed = scorer.assess(analysis, target);
  if (assessed.language === 'english') return [];
  const syllables = assessed.syllables.flatMap(({ startMs, endMs, tone }) =>
    startMs === null || endMs === null
      ? []
      : [{ from: startMs / 1_000, to: endMs / 1_000, tone: tone.expected, contour: tone.contourSemitones }],
  );
  return [{ samples: await readSamples(path), syllables }];
}
