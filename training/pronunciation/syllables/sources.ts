import { join } from 'node:path';
import { decodeAudio } from '@jyutsing/audio/decode';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { openAcousticModel } from '#packages/engines/builtin/acoustic-model.ts';
import type { SyllabicLanguage } from '#packages/engines/builtin/decoder/types.ts';
import { modelFiles } from '#packages/engines/builtin/model-files.ts';
import { openListener } from '#packages/engines/builtin/listener/listener.ts';
import { hearAttempt } from '#packages/engines/builtin/pronunciation/hear-attempt.ts';
import { openSyllableTools } from '#packages/engines/builtin/pronunciation/open-syllable-tools.ts';
import type { SyllableTools } from '#packages/engines/builtin/pronunciation/recognize-attempts.ts';
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

/** A recording is heard by the acoustic model alone, or by the listener with it. */
export const EARS = ['alone', 'pooled'] as const;
export type Ears = (typeof EARS)[number];

/** Odds of the recordings of a source, at most `limit`, spread over its table. */
export async function measureSource(
  source: Source,
  { sets, models: modelsDir, limit }: { sets: string; models: string; limit: string },
  measured: readonly Ears[],
): Promise<Record<Ears, PartOdds[]>> {
  const table = await readTable([sets], source.table);
  const kept = (table?.rows ?? []).filter(source.isKept);
  const step = Math.max(1, kept.length / Number(limit));
  const rows = Array.from(
    { length: Math.min(kept.length, Number(limit)) },
    (_, index) => kept[Math.floor(index * step)]!,
  );
  const acoustic = await openAcousticModel(modelFiles(modelsDir, source.language));
  const listener = await openListener(modelsDir);
  const { labels } = acoustic;
  const tools: Record<Ears, SyllableTools> = {
    alone: await openSyllableTools(modelsDir, source.language, labels),
    pooled: await openSyllableTools(modelsDir, source.language, listener.labels[source.language], labels),
  };
  const all: Record<Ears, PartOdds[]> = { alone: [], pooled: [] };
  for (const [number, row] of rows.entries()) {
    const reading = tools.alone.sounds.read(row[source.column] ?? '');
    if (reading === null) continue;
    const samples = await readSound(join(sets, row['file'] ?? ''));
    for (const sound of soundsOf(samples, source.people, number)) {
      for (const ears of measured) {
        const models = { acoustic, listener: ears === 'pooled' ? listener : null };
        const analysis = await hearAttempt(sound, source.language, models);
        // The listener does not hear a voice that the acoustic model knows.
        if (ears === 'pooled' && analysis.further === undefined) continue;
        const odds = measureOdds(analysis, reading, tools[ears]);
        if (odds !== null) all[ears].push(odds);
      }
    }
  }
  await acoustic.close();
  await listener.close();
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
