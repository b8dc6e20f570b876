import { basename } from 'node:path';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { createRandom } from '#packages/numeric/random.ts';
import { startProgress } from '../progress.ts';
import { errorRate, type ErrorRate } from '../score.ts';
import type { EngineLocation } from '../tasks.ts';
import { CONDITIONS, under, type Condition } from './conditions.ts';
import { cutAlike, recordedClips, spokenClips, type Half, type LikenessClip } from './likeness-clips.ts';
import { openLikenessJudges, type LikenessJudge } from './likeness-judges.ts';
import type { SynthesisStyle } from './spoken-set.ts';

/** Mean likeness to people, 0..1, of clips of one kind under one condition, by one judge. */
export type LikenessRow = {
  judge: string;
  what: string;
  condition: Condition;
  clips: number;
  likeness: ErrorRate;
  /** Share of the clips that are taken for a person. */
  accepted: number;
};

/** Clips of one kind of speaker. */
export type LikenessGroup = { what: string; clips: readonly LikenessClip[] };

type Options = {
  /** Tables of recordings of people, the first of which sets the lengths of all clips. */
  people: readonly string[];
  /** Tables of recordings of synthesizers that no judge has learnt from. */
  machines: readonly string[];
  voices: readonly SynthesisVoice[];
  /** Models that speak the sentences. */
  models: readonly string[];
  language: Language;
  style: SynthesisStyle;
  half: Half;
  folder: string;
  conditions?: readonly Condition[];
};

/** Judges people and synthesizers, clean and under each control, by both kinds of judges. */
export async function judgeSpeech(options: Options, place: EngineLocation): Promise<LikenessRow[]> {
  const { people, machines, models, style, half } = options;
  const groups: LikenessGroup[] = [];
  const add = (what: string, clips: readonly LikenessClip[]) =>
    groups.push({ what, clips: groups.length === 0 ? clips : cutAlike(clips, groups[0]!.clips) });
  for (const table of people) add(`people: ${basename(table, '.tsv')}`, await recordedClips(table, half));
  for (const model of models) {
    add(model, await spokenClips({ ...options, style: { ...style, model } }, place));
  }
  for (const table of machines) {
    const clips = await recordedClips(table, half);
    for (const speaker of new Set(clips.map((clip) => clip.speaker))) {
      const ofSpeaker = clips.filter((clip) => clip.speaker === speaker);
      add(
        `unseen: ${speaker}`,
        ofSpeaker.map(({ samples }) => ({ samples, speaker: null })),
      );
    }
  }
  const judges = await openLikenessJudges();
  try {
    return await judgeGroups(groups, judges, options.conditions);
  } finally {
    for (const judge of judges) await judge.close();
  }
}

/** Scores every clip of every group under every condition; the same changes for all judges. */
export async function judgeGroups(
  groups: readonly LikenessGroup[],
  judges: readonly LikenessJudge[],
  conditions: readonly Condition[] = CONDITIONS,
): Promise<LikenessRow[]> {
  const rows: LikenessRow[] = [];
  const progress = startProgress('likeness', groups.length * conditions.length);
  for (const { what, clips } of groups)
    for (const condition of conditions) {
      const random = createRandom(1);
      const changed: Float32Array[] = [];
      for (const { samples } of clips) changed.push(await under(condition, samples, random));
      for (const judge of judges) {
        const scores: number[] = [];
        for (const clip of changed) scores.push(await judge.score(clip));
        const counts = clips.map(({ speaker }, index) => ({ errors: scores[index]!, length: 1, speaker }));
        const accepted = scores.filter((score) => score > 0.5).length / Math.max(1, scores.length);
        rows.push({ judge: judge.name, what, condition, clips: clips.length, likeness: errorRate(counts), accepted });
      }
      progress.done(rows.length / judges.length);
    }
  progress.finish('done');
  return rows;
}
