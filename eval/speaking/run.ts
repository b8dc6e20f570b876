import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import { loadShippedVoices } from '#server/features/voices/shipped-voices.ts';
import { startProgress } from '../progress.ts';
import type { SpeakerGroup } from '../conversations-voices.ts';
import { writeJson, type EvaluationOptions } from '../run.ts';
import { measureCloning, type CloneRow } from './cloning.ts';
import { measureIntelligibility, type Understood } from './intelligibility.ts';
import { cloningReport, intelligibilityReport } from './report.ts';
import { makeSpokenSet, sentencesToSpeak } from './spoken-set.ts';

export type SpeakingOptions = EvaluationOptions & {
  /** Of each language. */
  sentences: number;
  /** Reference voices to clone, where there are recordings. */
  voices: number;
  group: SpeakerGroup;
  model: string;
  temperature: number;
};

const VOICES_DIR = join(import.meta.dirname, '../../voices');

/** Speaks, listens to it, and prints what was understood and how near clones are to their references. */
export async function runSpeaking(options: SpeakingOptions): Promise<number> {
  const manner = { model: options.model, temperature: options.temperature };
  const folder = await mkdtemp(join(tmpdir(), 'jyutsing-speaking-'));
  try {
    const understood: Understood[] = [];
    const voices = loadShippedVoices(VOICES_DIR).map(({ voice: { id, profile } }) => ({
      id,
      profile,
      reference: null,
    }));
    if (voices.length === 0) throw new AppError('internal_error', 'No voice ships with this copy.');
    for (const language of options.languages) {
      const sentences = await sentencesToSpeak(language, Math.min(options.sentences, options.limit));
      const speaking = startProgress(`speaking ${language}`, sentences.length);
      const set = await makeSpokenSet(language, { sentences, voices, manner, folder }, options.place, speaking.done);
      speaking.finish('done');
      const listening = startProgress(`listening to ${language}`, 2 * sentences.length);
      understood.push(...(await measureIntelligibility(set, options.place, listening.done)));
      listening.finish('done');
      await writeJson(options, { kind: 'speaking', understood });
    }
    console.log(intelligibilityReport(understood, options.format));
    const cloned = await cloneVoices(options, folder);
    if (cloned !== null) {
      console.log(`\n${cloningReport(cloned.rows, options.format)}`);
      console.log(`\n${intelligibilityReport(cloned.understood, options.format)}`);
      for (const reason of cloned.refused) console.error(`not cloned: ${reason}`);
    }
    await writeJson(options, { kind: 'speaking', understood, cloned });
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Cloned = { rows: CloneRow[]; refused: string[]; understood: Understood[] };

/** Null where there is nobody to clone. */
async function cloneVoices(options: SpeakingOptions, folder: string): Promise<Cloned | null> {
  const { folders } = options.places;
  if (folders.length === 0) {
    console.error('no voices cloned: --sets names folders with recordings of people');
    return null;
  }
  const { group, voices, model, temperature } = options;
  const progress = startProgress('cloning', voices);
  const { rows, refused, spoken } = await measureCloning(
    { folders, group, voices, manner: { model, temperature }, folder: join(folder, 'clones') },
    options.place,
    progress.done,
  );
  progress.finish(`${rows.length} voices`);
  if (rows.length === 0) return null;
  const listening = startProgress('listening to clones', 2 * rows.length);
  const understood = await measureIntelligibility(spoken, options.place, listening.done);
  listening.finish('done');
  return { rows, refused, understood };
}
