import { join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import type { Language } from '@jyutsing/contracts/transcript';
import type { SpeakerGroup } from '../diarization/find-voices.ts';
import { readFirst } from '../pronunciation/tables.ts';
import { readSet, type EvaluationSet } from '../read-set.ts';
import type { EngineLocation } from '../tasks.ts';
import { joinRecordedSyllables } from './clarity-bounds.ts';
import { measureCloning } from './cloning.ts';
import { clarityGoals, cloneGoals, GOAL_CONDITIONS, joinGoals, likenessGoals, type GoalRow } from './goals.ts';
import { measureIntelligibility } from './intelligibility.ts';
import { judgeSpeech } from './judge-speech.ts';
import { measureProsodyGroups } from './measure-prosody-groups.ts';
import { makeSpokenSet, sentencesToSpeak } from './spoken-set.ts';

type Options = {
  sets: readonly string[];
  voices: readonly SynthesisVoice[];
  /** The engine of recorded syllables, and the one that it is compared with. */
  model: string;
  former: string;
  temperature: number;
  sentences: number;
  clones: number;
  group: SpeakerGroup;
  limit: number;
  folder: string;
};

const PEOPLE = 'yue-sentences-dev';

/**
 * Measures everything that the voice of recorded syllables has a goal for. Throws
 * `invalid_parameter` without recordings.
 */
export async function measureGoals(options: Options, place: EngineLocation): Promise<GoalRow[]> {
  const { sets, model, former, folder } = options;
  const table = await readFirst(sets, `${PEOPLE}.tsv`);
  if (table === null) throw new AppError('invalid_parameter', `Name the folder that has ${PEOPLE}.tsv with --sets.`);
  const peopleTable = join(table.folder, `${PEOPLE}.tsv`);
  const judged = {
    ...options,
    people: [peopleTable],
    machines: [],
    models: [model, former],
    conditions: GOAL_CONDITIONS,
  };
  const style = { model, temperature: options.temperature };
  const likeness = await judgeSpeech({ ...judged, language: 'cantonese', style, half: 'test' }, place);
  const prosody = await measureProsodyGroups({ ...options, models: [model] }, place);
  const of = (groups: typeof prosody.engines) => groups.find(([name]) => name === model)![1];
  return [
    ...likenessGoals(likeness, { people: `people: ${PEOPLE}`, model, former }),
    ...(await clarity(options, peopleTable, place)),
    ...joinGoals(model, { own: of(prosody.engines), inBackground: of(prosody.inBackground), people: prosody.people }),
    ...(await clones(model, options, folder, place)),
    ...(await clones(former, options, folder, place)),
  ];
}

/** The voices, the former voice, the recordings as they are, and people. */
async function clarity(
  { sets, voices, model, former, temperature, sentences, folder }: Options,
  peopleTable: string,
  place: EngineLocation,
): Promise<GoalRow[]> {
  const understood = async (set: EvaluationSet & { language: Language }) =>
    (await measureIntelligibility(set, place, () => undefined, 'acoustic model')).rows;
  const spoken = async (language: 'cantonese' | 'mandarin', by: string) => {
    const texts = await sentencesToSpeak(language, sentences);
    const style = { model: by, temperature };
    const set = await makeSpokenSet(language, { sentences: texts, voices, style, folder }, place, () => undefined);
    return clarityGoals(`${language}, ${by}`, await understood(set), by === former);
  };
  const texts = await sentencesToSpeak('cantonese', sentences);
  const recorded = await joinRecordedSyllables({ sets, sentences: texts, folder });
  const people = { ...(await readSet(peopleTable)), language: 'cantonese' as const };
  return [
    ...(await spoken('cantonese', model)),
    ...clarityGoals(`floor, ${recorded.items.length} of them of whole recordings`, await understood(recorded), true),
    ...clarityGoals('ceiling, other sentences by people', await understood(people), true),
    ...(await spoken('cantonese', former)),
    ...(await spoken('mandarin', model)),
    ...(await spoken('mandarin', former)),
  ];
}

async function clones(by: string, options: Options, folder: string, place: EngineLocation): Promise<GoalRow[]> {
  const { sets, group, temperature, clones: voices } = options;
  if (voices === 0) return [];
  const style = { model: by, temperature };
  const call = { folders: sets, group, voices, style, folder: join(folder, `clones-${by}`) };
  const { rows, spoken } = await measureCloning(call, place, () => undefined);
  const { rows: understood } = await measureIntelligibility(spoken, place, () => undefined, 'acoustic model');
  return cloneGoals(by, rows, understood);
}
