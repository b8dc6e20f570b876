// Recreates voices/ (training/voices/README.md):
// `node training/voices/make-shipped-voices.ts [--only maria,kelvin] [--out voices]`.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format } from 'oxfmt';
import { mean } from '@jyutsing/numeric/statistics';
import { SYNTHESIS_SAMPLE_RATE_HZ, type Synthesizer } from '@jyutsing/contracts/synthesizer';
import { VOICE_BANDS, type VoiceProfile } from '@jyutsing/contracts/voice';
import { measureVoiceSample } from '@jyutsing/audio/voice/measure-voice-sample';
import { encodeWav } from '#packages/audio/wav.ts';
import { SOURCE_PROFILE } from '#packages/engines/espeak/source-profile.ts';
import { engine as hibari } from '#packages/engines/hibari/synthesizer.ts';
import { engine as syllable } from '#packages/engines/syllable/synthesizer.ts';
import type { VoiceFile } from '#server/features/voices/shipped-voices.ts';
import style from '../../.oxfmtrc.json' with { type: 'json' };
import { compareVoices } from './compare-voices.ts';
import { designProfile } from './design-profile.ts';
import { VOICE_DESIGNS, type VoiceDesign } from './designs.ts';
import { speakDesign, transcriptOf } from './speak-design.ts';

const ROOT = join(import.meta.dirname, '../..');
const MODELS_DIR = join(ROOT, 'models');
const CREATED = '2026-11-21';
/** Profiles are averages, so more digits would be meaningless. */
const DIGITS = 4;

/** Bands of a profile up to 1 kHz, from there to 3 kHz, and above. */
const [LOW_BANDS, MIDDLE_BANDS, HIGH_BANDS] = [
  [0, 14],
  [14, 26],
  [26, VOICE_BANDS.count],
] as const;

type Made = {
  design: VoiceDesign;
  profile: VoiceProfile;
  measured: VoiceProfile;
  samples: Float32Array;
  wav: Uint8Array;
  durationMs: number;
};

const { values } = parseArgs({ options: { only: { type: 'string' }, out: { type: 'string' } } });
const out = values.out ?? join(ROOT, 'voices');
const only = values.only?.split(',') ?? VOICE_DESIGNS.map(({ id }) => id);
const unknown = only.filter((id) => VOICE_DESIGNS.every((design) => design.id !== id));
if (unknown.length > 0) {
  const designIds = VOICE_DESIGNS.map(({ id }) => id).join(',');
  process.stderr.write(`No such voice: ${unknown.join(', ')}. usage: --only ${designIds}\n`);
  process.exit(2);
}

const env = { builtinModelsDir: MODELS_DIR, modelsDir: MODELS_DIR, settings: {} };
const [cantonese, english] = await Promise.all(
  [syllable, hibari].map((engine) => engine.open(env, engine.models(env)[0]?.name ?? '')),
);
const folder = await mkdtemp(join(tmpdir(), 'jyutsing-voices-'));
try {
  const neutral = SOURCE_PROFILE;
  const made: Made[] = [];
  for (const [order, design] of VOICE_DESIGNS.entries()) {
    if (!only.includes(design.id)) continue;
    const voice = await make(design.language === 'english' ? english! : cantonese!, neutral, design);
    await write(voice, order);
    made.push(voice);
  }
  printMeasures(neutral, made);
  printSimilarity(
    made,
    await compareVoices(
      MODELS_DIR,
      made.map(({ samples }) => samples),
    ),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
  await Promise.all([cantonese, english].map((synthesizer) => synthesizer?.close()));
}

async function make(synthesizer: Synthesizer, neutral: VoiceProfile, design: VoiceDesign): Promise<Made> {
  const profile = designProfile(neutral, design);
  const samples = await speakDesign(synthesizer, design, profile);
  const path = join(folder, `${design.id}.wav`);
  await writeFile(path, encodeWav(samples, SYNTHESIS_SAMPLE_RATE_HZ));
  const { profile: measured, wav, durationMs } = await measureVoiceSample(path, new AbortController().signal);
  return { design, profile, measured, samples, wav, durationMs };
}

async function write({ design, profile, wav, durationMs }: Made, order: number): Promise<void> {
  const file: VoiceFile = {
    order,
    names: design.names,
    language: design.language ?? 'cantonese',
    gender: design.gender,
    description: design.description,
    transcript: transcriptOf(design),
    created: CREATED,
    sampleDurationMs: Math.round(durationMs),
    profile: rounded(profile),
  };
  const target = join(out, design.id);
  await mkdir(target, { recursive: true });
  await writeFile(join(target, 'sample.wav'), wav);
  const path = join(target, 'voice.json');
  // The project's style, wherever the file is.
  await writeFile(path, (await format(path, JSON.stringify(file), style)).code);
}

function rounded(profile: VoiceProfile): VoiceFile['profile'] {
  const [f1, f2, f3] = profile.formantsHz;
  return {
    version: profile.version,
    pitchMedianHz: round(profile.pitchMedianHz),
    pitchLowSemitones: round(profile.pitchLowSemitones),
    pitchHighSemitones: round(profile.pitchHighSemitones),
    formantsHz: [round(f1), round(f2), round(f3)],
    voicedBandsDb: profile.voicedBandsDb.map(round),
    unvoicedBandsDb: profile.unvoicedBandsDb.map(round),
    noiseShares: profile.noiseShares.map(round),
    syllablesPerSecond: round(profile.syllablesPerSecond),
    timbre: profile.timbre,
  };
}

function round(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

function printMeasures(neutral: VoiceProfile, made: readonly Made[]): void {
  print(`${'neutral'.padEnd(22)}${describe(neutral)}`);
  for (const { design, profile, measured, samples } of made) {
    print(`${design.id.padEnd(12)}designed  ${describe(profile)}`);
    print(`            measured  ${describe(measured)}`);
    print(`            ${(samples.length / SYNTHESIS_SAMPLE_RATE_HZ).toFixed(2)} s    ${transcriptOf(design)}`);
  }
}

function describe(profile: VoiceProfile): string {
  const { pitchMedianHz, pitchLowSemitones, pitchHighSemitones, formantsHz, syllablesPerSecond, noiseShares } = profile;
  const levels = [LOW_BANDS, MIDDLE_BANDS, HIGH_BANDS].map(([from, to]) => mean(profile.voicedBandsDb.slice(from, to)));
  return [
    `${pitchMedianHz.toFixed(0).padStart(4)} Hz`,
    `${pitchLowSemitones.toFixed(1).padStart(5)}…${pitchHighSemitones.toFixed(1).padEnd(4)} st`,
    formantsHz.map((hz) => hz.toFixed(0).padStart(5)).join(''),
    `${syllablesPerSecond.toFixed(1)}/s`,
    `noise ${mean(noiseShares).toFixed(2)}`,
    `levels ${levels.map((db) => db.toFixed(0)).join(' ')} dB`,
  ].join('  ');
}
/** Prints similarities; each voice should be most similar to itself. */
function printSimilarity(made: readonly Made[], similarity: readonly (readonly number[])[]): void {
  print('\nlikeness (cosine of speaker embeddings)');
  for (const [i, { design }] of made.entries()) {
    print(`${design.id.padEnd(12)}${(similarity[i] ?? []).map((value) => value.toFixed(2).padStart(6)).join('')}`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
