// Measures the speaker of the recorded syllables, whom other voices are compared with:
// node training/voices/syllables/measure-speaker.ts > speaker.json; it belongs in
// packages/engines/syllable/speaker-profile.json.
import { stdout } from 'node:process';
import { join } from 'node:path';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { measureVoice } from '@jyutsing/audio/voice/measure-voice';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import { SOURCE_PROFILE } from '#packages/engines/espeak/source-profile.ts';
import { engine } from '#packages/engines/syllable/synthesizer.ts';
import { VOICE_DESIGNS } from '../designs.ts';
import { speakDesign } from '../speak-design.ts';

/** Pitch, formants and range of the recordings themselves: nothing is changed. */
const OWN = {
  ...SOURCE_PROFILE,
  pitchMedianHz: 143,
  pitchLowSemitones: -5.5,
  pitchHighSemitones: 4.5,
  formantsHz: [520, 1_640, 2_640] as const,
  syllablesPerSecond: 4.5,
  timbre: '',
};

const modelsDir = join(import.meta.dirname, '../../../models');
const env = { builtinModelsDir: modelsDir, modelsDir, settings: {} };
const synthesizer = await engine.open(env, engine.models(env)[0]!.name);
const sounds: Float32Array[] = [];
for (const design of VOICE_DESIGNS) sounds.push(await speakDesign(synthesizer, design, OWN));
await synthesizer.close();
const profile = measureVoice(joinSamples(sounds), SYNTHESIS_SAMPLE_RATE_HZ);
const rounded = JSON.stringify(profile, (_, value: unknown) =>
  typeof value === 'number' ? Math.round(value * 100) / 100 : value,
);
stdout.write(`${rounded}\n`);
