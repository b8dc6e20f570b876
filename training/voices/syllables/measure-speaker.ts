// Measures the speaker of recorded syllables, whom other voices are compared with:
// node training/voices/syllables/measure-speaker.ts cantonese > speaker.json; it belongs in
// packages/engines/syllable/speaker-profile.json, Mandarin in mandarin-speaker-profile.json.
import { readFile } from 'node:fs/promises';
import { argv, stdout } from 'node:process';
import { join } from 'node:path';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { measureVoice } from '@jyutsing/audio/voice/measure-voice';
import type { SpokenPiece } from '@jyutsing/contracts/spoken-text';
import { SYNTHESIS_SAMPLE_RATE_HZ, type Synthesizer } from '@jyutsing/contracts/synthesizer';
import type { VoiceProfile } from '@jyutsing/contracts/voice';
import { SOURCE_PROFILE } from '#packages/engines/espeak/source-profile.ts';
import { engine } from '#packages/engines/syllable/synthesizer.ts';
import { SPEAKERS } from '#packages/engines/syllable/voice-settings.ts';
import { VOICE_DESIGNS } from '../designs.ts';
import { speakDesign } from '../speak-design.ts';

const language = argv[2] === 'mandarin' ? 'mandarin' : 'cantonese';
const { pitchMedianHz, formantsHz } = SPEAKERS[language].design;
/** Pitch, formants and range of the recordings themselves: nothing is changed. */
const OWN: VoiceProfile = {
  ...SOURCE_PROFILE,
  pitchMedianHz,
  pitchLowSemitones: -5.5,
  pitchHighSemitones: 4.5,
  formantsHz,
  syllablesPerSecond: 4.5,
  timbre: '',
};
/** The first sentences of the list for evaluation, with their readings. */
const MANDARIN_SENTENCES = 8;

const modelsDir = join(import.meta.dirname, '../../../models');
const env = { builtinModelsDir: modelsDir, modelsDir, settings: {} };
const synthesizer = await engine.open(env, language === 'mandarin' ? 'syllable-cmn' : 'syllable-yue');
const sounds = language === 'mandarin' ? await speakMandarin(synthesizer) : await speakDesigns(synthesizer);
await synthesizer.close();
const profile = measureVoice(joinSamples(sounds), SYNTHESIS_SAMPLE_RATE_HZ);
const rounded = JSON.stringify(profile, (_, value: unknown) =>
  typeof value === 'number' ? Math.round(value * 100) / 100 : value,
);
stdout.write(`${rounded}\n`);

async function speakDesigns(by: Synthesizer): Promise<Float32Array[]> {
  const spoken: Float32Array[] = [];
  for (const design of VOICE_DESIGNS.filter(({ language }) => language !== 'english'))
    spoken.push(await speakDesign(by, design, OWN));
  return spoken;
}

async function speakMandarin(by: Synthesizer): Promise<Float32Array[]> {
  const table = await readFile(join(import.meta.dirname, '../../../eval/sentences-cmn.tsv'), 'utf8');
  const pieces = table.split('\n').slice(0, MANDARIN_SENTENCES).map(pieceOf);
  const voice = { id: 'own', profile: OWN, reference: null };
  const style = { temperature: 0.6, topP: 1, speed: 1, pitchSemitones: 0, seed: 1 };
  const request = { pieces, language: 'mandarin' as const, voice, ...style };
  const spoken: Float32Array[] = [];
  for await (const event of by.synthesize(request, new AbortController().signal))
    if (event.type === 'audio') spoken.push(event.samples);
  return spoken;
}

function pieceOf(line: string): SpokenPiece {
  const [text = '', pinyin = ''] = line.split('\t');
  const word = { written: text, language: 'mandarin' as const, spokenForm: text, reading: pinyin.split(' ') };
  return { phrases: [{ words: [word], ending: 'statement' }], spokenForm: text, endsSentence: true };
}
