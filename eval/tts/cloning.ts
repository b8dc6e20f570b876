import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeAudio } from '@jyutsing/audio/decode';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { measureVoiceSample } from '@jyutsing/audio/voice/measure-voice-sample';
import { measureVoice } from '@jyutsing/audio/voice/measure-voice';
import { toAppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { openSpeakerModels } from '#packages/engines/builtin/speakers/models.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { findVoices, type SpeakerGroup } from '../diarization/find-voices.ts';
import { spread } from '../run.ts';
import type { EvaluationSet, Item } from '../read-set.ts';
import type { EngineLocation } from '../tasks.ts';
import { openLikenessNetwork } from './likeness-judges.ts';
import { readClip } from './likeness-clips.ts';
import { itemOf, sentencesToSpeak, speakToWav, type SynthesisStyle } from './spoken-set.ts';

/** Similarity of one clone to its reference. */
export type CloneRow = {
  reference: string;
  /** Semitones between the median pitches. */
  pitchSemitones: number;
  /** Mean relative deviation of the first three formants, 0..1. */
  formantShare: number;
  /** Rank of the right reference (1 is first) by cosine similarity of speaker embeddings. */
  rank: number;
  /**
   * The same for another recording of that speaker, as an upper bound for the embedder; null
   * without one.
   */
  ownRank: number | null;
  /** How much the clone is like a person, 0..1, by the network; the same for the reference. */
  likeness: number;
  ownLikeness: number;
};

/** Typical length of a user's reference sample. */
const SAMPLE_MS = 12_000;
const SPOKEN_SENTENCES = 8;

type Reference = { name: string; samplePath: string; otherPath: string | null };

/**
 * Clones voices from the folders' recordings, synthesizes the same sentences with each clone, and
 * measures the similarity. A reference is the beginning of a speaker's joined recordings;
 * embeddings are ranked against all references.
 */
export async function measureCloning(
  options: { folders: readonly string[]; group: SpeakerGroup; voices: number; style: SynthesisStyle; folder: string },
  place: EngineLocation,
  onDone: (count: number) => void,
): Promise<{ rows: CloneRow[]; refused: string[]; spoken: EvaluationSet & { language: Language } }> {
  const references = await makeReferences(options);
  const models = await openSpeakerModels(place.env.builtinModelsDir, false);
  const embed = async (path: string) => (await models.voices([await samplesOf(path, RECOGNIZER_SAMPLE_RATE_HZ)]))[0]!;
  const judge = await openLikenessNetwork();
  const likenessOf = async (path: string) => judge.score(await readClip(path));
  const text = (await sentencesToSpeak('cantonese', SPOKEN_SENTENCES)).join('');
  const measured = [];
  const items: Item[] = [];
  const refused: string[] = [];
  for (const [index, reference] of references.entries()) {
    try {
      const { profile, wav } = await measureVoiceSample(reference.samplePath, new AbortController().signal);
      const voice = { id: reference.name, profile, reference: { wav, transcript: null } };
      const clonePath = join(options.folder, `clone-${index}.wav`);
      await writeFile(clonePath, await speakToWav(text, 'cantonese', voice, options.style, place));
      items.push(await itemOf(text, 'cantonese', clonePath, reference.name));
      const clone = measureVoice(await samplesOf(clonePath, SYNTHESIS_SAMPLE_RATE_HZ), SYNTHESIS_SAMPLE_RATE_HZ);
      measured.push({
        reference: reference.name,
        profile,
        clone,
        referenceVector: await embed(reference.samplePath),
        cloneVector: await embed(clonePath),
        otherVector: reference.otherPath === null ? null : await embed(reference.otherPath),
        likeness: await likenessOf(clonePath),
        ownLikeness: await likenessOf(reference.samplePath),
      });
    } catch (thrown) {
      refused.push(`${reference.name}: ${toAppError(thrown).message}`);
    }
    onDone(measured.length);
    if (measured.length === options.voices) break;
  }
  await models.close();
  await judge.close();
  const everyone = measured.map(({ referenceVector }) => referenceVector);
  const rows = measured.map(
    ({ reference, profile, clone, cloneVector, otherVector, likeness, ownLikeness }, index) => ({
      reference,
      pitchSemitones: Math.abs(12 * Math.log2(clone.pitchMedianHz / profile.pitchMedianHz)),
      formantShare:
        profile.formantsHz.reduce((sum, hz, i) => sum + Math.abs(clone.formantsHz[i]! / hz - 1), 0) /
        profile.formantsHz.length,
      rank: rankOf(index, cloneVector, everyone),
      ownRank: otherVector === null ? null : rankOf(index, otherVector, everyone),
      likeness,
      ownLikeness,
    }),
  );
  return { rows, refused, spoken: { name: 'spoken by clones', language: 'cantonese', items } };
}

/** Prepares twice as many references as needed, because some samples are refused. */
async function makeReferences({
  folders,
  group,
  voices,
  folder,
}: Parameters<typeof measureCloning>[0]): Promise<Reference[]> {
  await mkdir(folder, { recursive: true });
  const references: Reference[] = [];
  const found = await findVoices(folders, group);
  for (const { table, speaker, paths } of spread(found, voices * 2)) {
    const pieces: Float32Array[] = [];
    let samples = 0;
    let used = 0;
    const wantedSamples = (SAMPLE_MS * SYNTHESIS_SAMPLE_RATE_HZ) / 1_000;
    for (const path of paths) {
      if (samples >= wantedSamples) break;
      const piece = await samplesOf(path, SYNTHESIS_SAMPLE_RATE_HZ).catch(() => new Float32Array(0));
      pieces.push(piece);
      samples += piece.length;
      used += 1;
    }
    const name = `${table}/${speaker}`;
    const samplePath = join(folder, `reference-${references.length}.wav`);
    const joined = joinSamples(pieces).slice(0, wantedSamples);
    await writeFile(samplePath, wavBytes({ sampleRateHz: SYNTHESIS_SAMPLE_RATE_HZ, channels: [joined] }));
    references.push({ name, samplePath, otherPath: paths[used] ?? null });
  }
  return references;
}

async function samplesOf(path: string, sampleRateHz: number): Promise<Float32Array> {
  const pieces: Float32Array[] = [];
  const options = { sampleRateHz, maxDurationMs: 600_000, signal: new AbortController().signal };
  for await (const { samples } of decodeAudio(path, options)) pieces.push(samples);
  return joinSamples(pieces);
}

/** Rank of vector `index` among all vectors by similarity to `vector`. */
function rankOf(index: number, vector: Float32Array, everyone: readonly Float32Array[]): number {
  const nearness = everyone.map((person) => cosine(vector, person));
  return 1 + nearness.filter((value) => value > nearness[index]!).length;
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (const [i, x] of a.entries()) {
    const y = b[i]!;
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  return dot / Math.sqrt(aa * bb);
}
