import { join } from 'node:path';
import { decodeAudio } from '@jyutsing/audio/decode';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { openAcousticModel } from '#packages/engines/builtin/acoustic-model.ts';
import type { SyllabicLanguage } from '#packages/engines/builtin/decoder/types.ts';
import { modelFiles } from '#packages/engines/builtin/model-files.ts';
import { openSyllableTools } from '#packages/engines/builtin/pronunciation/open-syllable-tools.ts';
import type { AcousticAnalysis } from '#packages/engines/builtin/pronunciation/types.ts';
import { isTestRecording, TEST_SPEAKER_CMN } from '../../../eval/pronunciation/held-out.ts';
import { readTable } from '../../../eval/pronunciation/tables.ts';
import { inventPerson, speakAs } from './other-person.ts';
import { measureOdds, type PartOdds } from './part-odds.ts';

/**
 * Recordings of single syllables excluded from training of acoustic models, unmodified or
 * converted.
 */
export type Source = {
  name: string;
  language: SyllabicLanguage;
  table: string;
  column: string;
  /** Converted speakers per recording; 0 for the unmodified one. */
  people: number;
  isKept: (row: Readonly<Record<string, string>>) => boolean;
};

const kt = {
  language: 'cantonese',
  table: 'yue-syllables-kt',
  column: 'jyutping',
  isKept: (row: Readonly<Record<string, string>>) => isTestRecording(row['file'] ?? ''),
} as const;
const cw = {
  language: 'mandarin',
  table: 'cmn-words',
  column: 'pinyin',
  // An isolated neutral tone cannot be asked for.
  isKept: (row: Readonly<Record<string, string>>) =>
    row['speaker'] === TEST_SPEAKER_CMN && /[1-4]$/.test(row['pinyin'] ?? ''),
} as const;

export const SOURCES = {
  knownVoice: { ...kt, name: 'Cantonese, held-out syllables of the voice trained on', people: 0 },
  ktAsOthers: { ...kt, name: 'Cantonese, the same turned into other people', people: 2 },
  unknownVoice: { ...cw, name: 'Mandarin, a voice never trained on', people: 0 },
  cwAsOthers: { ...cw, name: 'Mandarin, the same turned into other people', people: 1 },
} as const satisfies Record<string, Source>;

/** Odds of the recordings of a source, at most `limit`, spread over its table. */
export async function measureSource(
  source: Source,
  sets: string,
  modelsDir: string,
  limit: number,
): Promise<PartOdds[]> {
  const table = await readTable([sets], source.table);
  const kept = (table?.rows ?? []).filter(source.isKept);
  const step = Math.max(1, kept.length / limit);
  const rows = Array.from({ length: Math.min(kept.length, limit) }, (_, index) => kept[Math.floor(index * step)]!);
  const acoustic = await openAcousticModel(modelFiles(modelsDir, source.language));
  const tools = await openSyllableTools(modelsDir, source.language, acoustic.labels);
  const all: PartOdds[] = [];
  for (const [number, row] of rows.entries()) {
    const reading = tools.sounds.read(row[source.column] ?? '');
    if (reading === null) continue;
    const samples = await readSound(join(sets, row['file'] ?? ''));
    for (const sound of soundsOf(samples, source.people, number)) {
      const { posteriors, pitch } = await acoustic.computeWithPitch(sound);
      const analysis: AcousticAnalysis = { samples: sound, labels: acoustic.labels, posteriors, pitch };
      const odds = measureOdds(analysis, reading, tools);
      if (odds !== null) all.push(odds);
    }
  }
  await acoustic.close();
  return all;
}

async function readSound(path: string): Promise<Float32Array> {
  const { signal } = new AbortController();
  const pieces: Float32Array[] = [];
  for await (const { samples } of decodeAudio(path, { sampleRateHz: 16_000, maxDurationMs: 60_000, signal })) {
    pieces.push(samples);
  }
  return joinSamples(pieces);
}

function soundsOf(samples: Float32Array, people: number, number: number): Float32Array[] {
  if (people === 0) return [samples];
  return Array.from({ length: people }, (_, person) => speakAs(samples, inventPerson(number * people + person)));
}
