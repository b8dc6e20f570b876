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
import { wavBytes } from '#test/audio.ts';
import { findVoices, type SpeakerGroup } from '../conversations-voices.ts';
import { spread } from '../run.ts';
import type { EvaluationSet, Item } from '../read-set.ts';
import type { EngineLocation } from '../tasks.ts';
import { itemOf, sentencesToSpeak, speakToWav, type Manner } from './spoken-set.ts';

/** How near one clone is to its reference. */
export type CloneRow = {
  reference: string;
  /** Semitones between the median pitches. */
  pitchSemitones: number;
  /** Mean over the first three formants of how far they are apart, 0..1 of the reference's. */
  formantShare: number;
  /** Place of the right reference among all, 1 is first, as the speaker embedder ranks them by cosine. */
  rank: number;
  /** The same for another recording of the very speaker: what the embedder itself can tell apart; null where there is none. */
  ownRank: number | null;
};

/** A reference sample is as long as people make them. */
const SAMPLE_MS = 12_000;
const SPOKEN_SENTENCES = 8;

type Reference = { name: string; samplePath: string; otherPath: string | null };

/**
 * Clones so many voices of the folders' recordings, lets each say the same sentences, and measures what came of it. A reference is the
 * beginning of a speaker's recordings joined; the embedder compares with all references.
 */
export async function measureCloning(
  options: { folders: readonly string[]; group: SpeakerGroup; voices: number; manner: Manner; folder: string },
  place: EngineLocation,
  onDone: (count: number) => void,
): Promise<{ rows: CloneRow[]; refused: string[]; spoken: EvaluationSet & { language: Language } }> {
  const references = await makeReferences(options);
  const models = await openSpeakerModels(place.env.builtinModelsDir, false);
  const embed = async (path: string) => (await models.voices([await samplesOf(path, RECOGNIZER_SAMPLE_RATE_HZ)]))[0]!;
  const text = (await sentencesToSpeak('cantonese', SPOKEN_SENTENCES)).join('');
  const measured = [];
  const items: Item[] = [];
  const refused: string[] = [];
  for (const [index, reference] of references.entries()) {
    try {
      const { profile, wav } = await measureVoiceSample(reference.samplePath, new AbortController().signal);
      const voice = { id: reference.name, profile, reference: { wav, transcript: null } };
      const clonePath = join(options.folder, `clone-${index}.wav`);
      await writeFile(clonePath, await speakToWav(text, 'cantonese', voice, options.manner, place));
      items.push(await itemOf(text, 'cantonese', clonePath, reference.name));
      const clone = measureVoice(await samplesOf(clonePath, SYNTHESIS_SAMPLE_RATE_HZ), SYNTHESIS_SAMPLE_RATE_HZ);
      measured.push({
        reference: reference.name,
        profile,
        clone,
        referenceVector: await embed(reference.samplePath),
        cloneVector: await embed(clonePath),
        otherVector: reference.otherPath === null ? null : await embed(reference.otherPath),
      });
    } catch (thrown) {
      refused.push(`${reference.name}: ${toAppError(thrown).message}`);
    }
    onDone(measured.length);
    if (measured.length === options.voices) break;
  }
  await models.close();
  const everyone = measured.map(({ referenceVector }) => referenceVector);
  const rows = measured.map(({ reference, profile, clone, cloneVector, otherVector }, index) => ({
    reference,
    pitchSemitones: Math.abs(12 * Math.log2(clone.pitchMedianHz / profile.pitchMedianHz)),
    formantShare:
      profile.formantsHz.reduce((sum, hz, i) => sum + Math.abs(clone.formantsHz[i]! / hz - 1), 0) /
      profile.formantsHz.length,
    rank: rankOf(index, cloneVector, everyone),
    ownRank: otherVector === null ? null : rankOf(index, otherVector, everyone),
  }));
  return { rows, refused, spoken: { name: 'spoken by clones', language: 'cantonese', items } };
}

/** More than are wanted, because some samples are refused. */
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
    const wanted = (SAMPLE_MS * SYNTHESIS_SAMPLE_RATE_HZ) / 1_000;
    for (const path of paths) {
      if (samples >= wanted) break;
      const piece = await samplesOf(path, SYNTHESIS_SAMPLE_RATE_HZ).catch(() => new Float32Array(0));
      pieces.push(piece);
      samples += piece.length;
      used += 1;
    }
    const name = `${table}/${speaker}`;
    const samplePath = join(folder, `reference-${references.length}.wav`);
    const joined = joinSamples(pieces).slice(0, wanted);
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

/** The place of number `index` among all vectors, by nearness to `vector`. */
function rankOf(index: number, vector: Float32Array, everyone: readonly Float32Array[]): number {
  const nearness = everyone.map((each) => cosine(vector, each));
  return 1 + nearness.filter((each) => each > nearness[index]!).length;
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
