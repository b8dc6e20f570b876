// Prints the profile of espeak-ng's unmodified voice, with which speakers are compared: node
// packages/engines/espeak/measure-source.ts > packages/engines/espeak/source-profile.json
import { argv, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { SpokenPiece, SpokenWord } from '@jyutsing/contracts/spoken-text';
import type { SynthesisRequest } from '@jyutsing/contracts/synthesizer';
import type { Language } from '@jyutsing/contracts/transcript';
import type { VoiceProfile } from '@jyutsing/contracts/voice';
import { measureVoice } from '@jyutsing/audio/voice/measure-voice';
import { openEspeak } from './espeak-driver.ts';
import { SOURCE_PROFILE } from './source-profile.ts';
import { speak } from './speak.ts';
import { createIdentityConversion } from './voice-conversion.ts';

/** Sentences in which every onset and most rimes occur. */
const SENTENCES: readonly (readonly [Language, string])[] = [
  ['cantonese', 'gam1 jat6 tin1 hei3 hou2 hou2 ngo5 dei6 heoi3 gung1 jyun2 haang4 haa5 laa1'],
  ['cantonese', 'ni1 gaan1 caan1 teng1 di1 dim2 sam1 hou2 hou2 sik6 daan6 hai6 gwai3 zo2 siu2 siu2'],
  ['cantonese', 'keoi5 zung1 ji3 jam2 kaa3 fe1 tung4 maai4 tai2 syu1 zau6 m4 zung1 ji3 coeng3 go1'],
  ['cantonese', 'ting1 jat6 ziu1 tau4 zou2 baat3 dim2 bun3 hai2 zung1 waan4 dei6 tit3 zaam6 dang2 lei5'],
  ['mandarin', 'jin1 tian1 tian1 qi4 zhen1 hao3 wo3 men5 qu4 gong1 yuan2 zou2 zou3 ba5'],
  ['mandarin', 'zhe4 jia1 fan4 guan3 de5 jiao3 zi5 te4 bie2 hao3 chi1 dan4 shi4 bi3 jiao4 gui4'],
  ['mandarin', 'ta1 xi3 huan1 he1 ka1 fei1 kan4 shu1 bu4 xi3 huan1 chang4 ge1 pao3 bu4'],
  ['english', 'The weather is lovely today so we could walk in the park'],
  ['english', 'This little restaurant makes very good soup but the chairs are much too small'],
  ['english', 'She usually reads a short story before the children go to sleep'],
];

/**
 * Measures the source voice like a voice sample, from synthesis that changes only timing and F0.
 */
export async function measureSource(): Promise<VoiceProfile> {
  const driver = await openEspeak();
  const sounds: Float32Array[] = [];
  for (const [language, sentence] of SENTENCES) {
    const request: SynthesisRequest = {
      pieces: [pieceOf(language, sentence)],
      language,
      voice: { id: 'source', profile: SOURCE_PROFILE, reference: null },
      temperature: 0,
      topP: 1,
      speed: 1,
      pitchSemitones: 0,
      seed: 0,
    };
    for await (const event of speak(driver, request, new AbortController().signal, createIdentityConversion())) {
      if (event.type === 'audio') sounds.push(event.samples);
    }
  }
  const samples = new Float32Array(sounds.reduce((length, sound) => length + sound.length, 0));
  let at = 0;
  for (const sound of sounds) {
    samples.set(sound, at);
    at += sound.length;
  }
  return measureVoice(samples, 24_000);
}

function pieceOf(language: Language, spoken: string): SpokenPiece {
  const words = spoken.split(' ').map((word): SpokenWord => ({
    written: word,
    spokenForm: word,
    language,
    reading: language === 'english' ? [] : [word],
  }));
  return { phrases: [{ words, ending: 'statement' }], spokenForm: spoken, endsSentence: true };
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const profile = await measureSource();
  const rounded = JSON.stringify({ ...profile, pitchMedianHz: 120, syllablesPerSecond: 4.6 }, (_, value: unknown) =>
    typeof value === 'number' ? Math.round(value * 100) / 100 : value,
  );
  stdout.write(`${rounded}\n`);
}
