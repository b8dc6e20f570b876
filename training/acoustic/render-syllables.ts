// Renders sentences with a built-in voice of recorded syllables as other people, for training:
// node training/acoustic/render-syllables.ts FOLDER SEED [LANGUAGE] < sentences
// Each line of standard input is jyutping, or pinyin for `mandarin`, as print_sentences.py prints
// it. Writes FOLDER/NNNNN.wav (16 bit, 24 kHz, mono) and FOLDER.tsv (file, units, speaker), the
// input of make_recordings.py --rendered or --rendered-cmn. A sentence with a syllable that the
// voice lacks is left out. The same seed gives the same sounds.
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { argv, stdin } from 'node:process';
import { createInterface } from 'node:readline';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { AppError } from '@jyutsing/contracts/errors';
import { encodeWav } from '@jyutsing/audio/wav';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import type { SpokenPhrase } from '@jyutsing/contracts/spoken-text';
import type { VoiceProfile } from '@jyutsing/contracts/voice';
import { createRandom } from '#packages/numeric/random.ts';
import { SOURCE_PROFILE } from '#packages/engines/espeak/source-profile.ts';
import { engine } from '#packages/engines/syllable/synthesizer.ts';

const PITCH_HZ = [95, 280] as const;
const LANGUAGES = ['cantonese', 'mandarin'] as const;
/** Registers of the recorded speakers. */
const RECORDED_HZ = { cantonese: 143, mandarin: 240 };
const SYLLABLES_PER_SECOND = [3.5, 6] as const;
/** Fast speakers shorten everything, beyond what profiles ask of the voice. */
const SPEED = [0.85, 1.6] as const;
const ENDINGS = ['statement', 'question', 'none', 'exclamation'] as const;
const LONGEST_WORD = 3;
/** Share of words after which a speaker pauses, as after a comma. */
const PAUSES = 0.05;

const [folder, seed] = [argv[2]!, Number(argv[3])];
const language = LANGUAGES.find((name) => name === (argv[4] ?? 'cantonese'));
if (language === undefined) throw new Error(`LANGUAGE is one of: ${LANGUAGES.join(', ')}`);
const modelsDir = join(import.meta.dirname, '../../models');
const env = { builtinModelsDir: modelsDir, modelsDir, settings: {} };
const model = engine.models(env).find(({ capabilities }) => capabilities.languages[language] !== undefined)!;
const synthesizer = await engine.open(env, model.name);
await mkdir(folder, { recursive: true });
const rows = ['file\tunits\tspeaker'];
let count = 0;
for await (const line of createInterface({ input: stdin })) {
  const random = createRandom(seed * 1_000_003 + count);
  const within = ([low, high]: readonly [number, number]) => low * (high / low) ** random();
  const pitchMedianHz = within(PITCH_HZ);
  const rendered = await render(line.split(' '), pitchMedianHz, within, random).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'text_not_readable') return null;
    throw error;
  });
  if (rendered?.units === line) {
    const file = `${String(count).padStart(5, '0')}.wav`;
    await writeFile(join(folder, file), encodeWav(rendered.samples, SYNTHESIS_SAMPLE_RATE_HZ));
    rows.push(
      `${basename(folder)}/${file}\t${line}\trendered:${Math.round(12 * Math.log2(pitchMedianHz / PITCH_HZ[0]))}`,
    );
  }
  count++;
}
await writeFile(`${folder}.tsv`, `${rows.join('\n')}\n`);
await synthesizer.close();

type Draw = (limits: readonly [number, number]) => number;

/** The sound, and the syllables that were spoken. */
async function render(syllables: string[], pitchMedianHz: number, within: Draw, random: () => number) {
  const formants = (pitchMedianHz / RECORDED_HZ[language!]) ** 0.28 * within([0.92, 1.09]);
  const range = within([0.75, 1.2]);
  const profile: VoiceProfile = {
    ...SOURCE_PROFILE,
    pitchMedianHz,
    pitchLowSemitones: -5 * range,
    pitchHighSemitones: 5 * range,
    formantsHz: [520 * formants, 1_640 * formants, 2_640 * formants],
    syllablesPerSecond: within(SYLLABLES_PER_SECOND),
    timbre: '',
  };
  const piece = { phrases: phrasesOf(syllables, random), spokenForm: syllables.join(' '), endsSentence: true };
  const sounds: Float32Array[] = [];
  const spoken: string[] = [];
  const request = {
    pieces: [piece],
    language: language!,
    voice: { id: 'rendered', profile, reference: null },
    temperature: 1,
    topP: 1,
    speed: within(SPEED),
    pitchSemitones: 0,
    seed: Math.floor(random() * 2 ** 31),
  };
  for await (const event of synthesizer.synthesize(request, new AbortController().signal)) {
    if (event.type === 'audio') sounds.push(event.samples);
    else spoken.push(...event.syllables.map(({ text }) => text));
  }
  return { samples: joinSamples(sounds), units: spoken.join(' ') };
}

/** Words of one to three syllables in a row; a pause after some. */
function phrasesOf(syllables: string[], random: () => number): SpokenPhrase[] {
  const phrases: SpokenPhrase[] = [];
  let words: SpokenPhrase['words'][number][] = [];
  for (let at = 0; at < syllables.length;) {
    const reading = syllables.slice(at, at + 1 + Math.floor(random() * LONGEST_WORD));
    at += reading.length;
    words.push({ written: reading.join(' '), language: language!, spokenForm: reading.join(' '), reading });
    if (at >= syllables.length) phrases.push({ words, ending: ENDINGS[Math.floor(random() * ENDINGS.length)]! });
    else if (random() < PAUSES) {
      phrases.push({ words, ending: 'comma' });
      words = [];
    }
  }
  return phrases;
}
