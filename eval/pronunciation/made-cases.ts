import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AssessedSyllable, PronunciationAssessment } from '@jyutsing/contracts/pronunciation';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import { readTarget } from '@jyutsing/text/pronunciation/read-target';
import { isSyllable } from '@jyutsing/text/syllables/jyutping';
import { createRandom } from '#packages/numeric/random.ts';
import type { Scorer } from '#packages/engines/builtin/pronunciation/types.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { asTable, type TableFormat } from '../report.ts';
import { readSamples } from '../sound.ts';
import type { EngineLocation } from '../tasks.ts';
import { speakToWav } from '../tts/spoken-set.ts';
import { analyzeRecording } from './analyze-recording.ts';
import { degrade } from './degrade.ts';
import { parse } from './minimal-pairs.ts';
import { readingSentences } from './reading-trials.ts';

/** Changes of what is said beside the text. */
const KINDS = [
  'as written',
  'tone',
  'onset',
  'rime',
  'added',
  'left out',
  'restart',
  'filler',
  'noise 10 dB below',
  'telephone',
] as const;
type Kind = (typeof KINDS)[number];

/** Speech for a text, and the syllable that is changed or before which something is added. */
export type MadeCase = { kind: Kind; text: string; jyutping: string; at: number };

/** `isExact`: the verdict is where the change is and nowhere else. */
export type MadeCaseTrial = MadeCase & { voice: string; isExact: boolean; answer: string };

const PARTS: Readonly<Record<'onset' | 'rime' | 'tone', readonly string[]>> = {
  onset: ['b', 'd', 'g', 's', 'z', 'f', 'm'],
  rime: ['aa', 'i', 'ou', 'ing', 'aan', 'oeng'],
  tone: ['1', '2', '4'],
};

/** Cases of every kind in turn, from sentences that no model was trained on. */
export function madeCases(count: number): MadeCase[] {
  const random = createRandom(19);
  return readingSentences(count).map(({ text, jyutping }, index) => {
    const syllables = jyutping.split(' ');
    const kind = KINDS[index % KINDS.length]!;
    const at = 1 + Math.floor(random() * (syllables.length - 2));
    const speeches: Partial<Record<Kind, string[]>> = {
      added: syllables.toSpliced(at, 0, 'fei1'),
      'left out': syllables.toSpliced(at, 1),
      restart: [...syllables.slice(0, at + 1), ...syllables],
      filler: syllables.toSpliced(at, 0, 'e6'),
    };
    if (kind !== 'tone' && kind !== 'onset' && kind !== 'rime')
      return { kind, text, jyutping: (speeches[kind] ?? syllables).join(' '), at };
    // The syllable m (唔) has no onset that could be another.
    const places = syllables.map((_, number) => (at + number) % syllables.length);
    const place = places.find((number) => otherSyllables(syllables[number]!, kind).length > 0) ?? at;
    const choices = otherSyllables(syllables[place]!, kind);
    const spoken = syllables.with(place, choices[Math.floor(random() * choices.length)]!);
    return { kind, text, jyutping: spoken.join(' '), at: place };
  });
}

/** The syllables of jyutping that have another part of this kind. */
function otherSyllables(syllable: string, part: 'onset' | 'rime' | 'tone'): string[] {
  const parts = parse('cantonese', syllable)!;
  return PARTS[part]
    .filter((choice) => choice !== String(parts[part]))
    .map((choice) => ({ ...parts, [part]: choice }))
    .map(({ onset, rime, tone }) => `${onset}${rime}${tone}`)
    .filter(isSyllable);
}

/** Speaks the cases with alternating voices, and compares each with its text. */
export async function runMadeCases(
  input: { cases: readonly MadeCase[]; voices: readonly SynthesisVoice[]; model: string },
  scorer: Scorer,
  place: EngineLocation,
  onProgress: (count: number) => void,
): Promise<MadeCaseTrial[]> {
  const folder = await mkdtemp(join(tmpdir(), 'jyutsing-cases-'));
  const trials: MadeCaseTrial[] = [];
  try {
    const path = join(folder, 'case.wav');
    for (const [index, made] of input.cases.entries()) {
      const voice = input.voices[index % input.voices.length]!;
      const style = { model: input.model, temperature: 0, jyutping: made.jyutping };
      // The jyutping says what is spoken; the characters only have to be as many.
      const characters = '好'.repeat(made.jyutping.split(' ').length);
      await writeFile(path, await speakToWav(characters, 'cantonese', voice, style, place));
      if (made.kind === 'noise 10 dB below' || made.kind === 'telephone') {
        const samples = degrade(await readSamples(path), made.kind, index + 1);
        await writeFile(path, wavBytes({ sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, channels: [samples] }));
      }
      const analysis = await analyzeRecording(scorer, path);
      const result =
        'refused' in analysis
          ? { isExact: false, answer: analysis.refused }
          : judge(made, scorer.assess(analysis, await readTarget(made.text, 'cantonese')));
      trials.push({ ...made, voice: voice.id, ...result });
      onProgress(index + 1);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return trials;
}

function judge({ kind, at }: MadeCase, assessment: PronunciationAssessment) {
  if (assessment.language === 'english') throw new TypeError('an assessment of another language');
  const { syllables, insertions } = assessment;
  const verdicts = syllables.map(({ verdict }) => (verdict === 'wrong' || verdict === 'omitted' ? verdict : '.'));
  const kinds = insertions.map((inserted) => inserted.kind);
  const answer = [verdicts.join(''), ...kinds].join(' ').replaceAll('wrong', 'w').replaceAll('omitted', 'o');
  const clean = verdicts.every((verdict, index) => verdict === '.' || index === at);
  return { isExact: clean && isAsMade(kind, syllables[at]!, kinds), answer };
}

function isAsMade(kind: Kind, syllable: AssessedSyllable, kinds: readonly string[]): boolean {
  const isRight = syllable.verdict !== 'wrong' && syllable.verdict !== 'omitted';
  if (kind === 'tone' || kind === 'onset' || kind === 'rime') {
    return syllable[kind].verdict === 'wrong' && kinds.length === 0;
  }
  if (kind === 'left out') return syllable.verdict === 'omitted' && kinds.length === 0;
  if (kind === 'restart') return isRight && kinds.length > 0 && kinds.every((one) => one === 'repetition');
  if (kind === 'added') return isRight && kinds.join() === 'other';
  if (kind === 'filler') return isRight && kinds.join() === 'filler';
  return isRight && kinds.length === 0;
}

/** The share of exact answers by kind, and every case that is not exact. */
export function madeCaseReport(trials: readonly MadeCaseTrial[], format: TableFormat): string {
  const rows = KINDS.flatMap((kind) => {
    const here = trials.filter((trial) => trial.kind === kind);
    return here.length === 0 ? [] : [[kind, String(here.length), String(here.filter(({ isExact }) => isExact).length)]];
  });
  const missed = trials
    .filter(({ isExact }) => !isExact)
    .map(
      ({ kind, voice, text, jyutping, at, answer }) => `${kind} at ${at}, ${voice}: ${text} (${jyutping}): ${answer}`,
    );
  return [asTable(['said', 'cases', 'verdict exactly there'], rows, format), ...missed].join('\n');
}
