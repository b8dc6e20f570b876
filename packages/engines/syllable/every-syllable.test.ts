import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Synthesizer } from '@jyutsing/contracts/synthesizer';
import type { SpokenPiece, SpokenWord } from '@jyutsing/contracts/spoken-text';
import type { VoiceProfile } from '@jyutsing/contracts/voice';
import { loadAddReadings } from '@jyutsing/text/normalization/add-readings';
import { normalize } from '@jyutsing/text/normalization/normalize';
import { splitText } from '@jyutsing/text/normalization/split-text';
import { openPronouncer } from '@jyutsing/text/pronunciation/english/pronounce-word';
import { isSyllable, JYUTPING_ONSETS, JYUTPING_RIMES } from '@jyutsing/text/syllables/jyutping';
import { requestOf, soundOf, speakAll, voiceOf } from '#test/synthesis-requests.ts';
import { cantoneseEnglish } from './cantonese-english.ts';
import { openVoice, readEnglishSounds, type SyllableVoice } from './open-voice.ts';
import { planSyllables } from './plan-syllables.ts';
import { soundsOf } from './sounds-of.ts';
import { engine } from './synthesizer.ts';
import { SPEAKERS } from './voice-settings.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const env = { builtinModelsDir: join(ROOT, 'models'), modelsDir: '/nowhere', settings: {} };
const ENGLISH = join(env.builtinModelsDir, 'yue/english-sounds.json');
const CODA = /(?:ng|[mnptk])$/;
const SHIPPED = ['emily', 'granny-chan', 'jasmine', 'kelvin', 'lok-lok', 'marcus', 'maria'];
/** Samples of a millisecond. */
const MS = 24;
const FRAME_MS = 5;
const LEAST_MS = 60;
/** Power of −40 dB of the full scale. */
const LEAST_POWER = 1e-4;

let opened: Synthesizer;
let voice: SyllableVoice;
beforeAll(async () => {
  opened = await engine.open(env, 'syllable-yue');
  const path = join(env.builtinModelsDir, 'yue/syllables.voice');
  voice = await openVoice(path, soundsOf('cantonese'), await readEnglishSounds(ENGLISH));
});
afterAll(async () => {
  await opened.close();
  voice.close();
});

const VOWELS = 'AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW'.split(' ');
const CONSONANTS = 'B CH D DH F G HH JH K L M N NG P R S SH T TH V W Y Z ZH'.split(' ');
const CLUSTERS =
  'T R,D R,P R,B R,K R,G R,F R,TH R,SH R,P L,B L,K L,G L,F L,S L,K W,G W,T W,D W,S W,TH W,S M,S N,S T R,P Y,K Y,V Y';
const CODAS = ',L,L P,L T,L K,L M,N T,S T,S K,L D';

/** Returns words of one vowel whose syllables are all that the accent makes, once each. */
function englishWords(): SpokenWord[] {
  const onsets = ['', ...CONSONANTS, ...CLUSTERS.split(',')];
  const codas = [...CODAS.split(','), ...CONSONANTS];
  const found = new Set<string>();
  return onsets.flatMap((onset) =>
    VOWELS.flatMap((vowel) =>
      codas.flatMap((coda) =>
        ['0', '1'].flatMap((stress) => {
          const reading = `${onset} ${vowel}${stress} ${coda}`.split(' ').filter(Boolean);
          const bases = cantoneseEnglish(reading, 'o').map(withoutTone);
          if (bases.every((base) => found.has(base))) return [];
          for (const base of bases) found.add(base);
          return [{ written: reading.join('-'), language: 'english', spokenForm: 'o', reading }] satisfies SpokenWord[];
        }),
      ),
    ),
  );
}

const withoutTone = (label: string) => label.slice(0, -1);

const jyutpingBases = () =>
  ['', ...JYUTPING_ONSETS]
    .flatMap((onset) => JYUTPING_RIMES.map((rime) => `${onset}${rime}`))
    .filter((base) => isSyllable(`${base}1`));

test('every syllable of jyutping and of the English accent is found in every tone', () => {
  const english = englishWords().flatMap(({ reading }) => cantoneseEnglish(reading, 'o').map(withoutTone));
  const bases = new Set([...jyutpingBases(), ...english]);
  const missing = [...bases].flatMap((base) =>
    [1, 2, 3, 4, 5, 6].flatMap((tone) => {
      try {
        voice.labelsFor(`${base}${tone}`, false);
        return [];
      } catch (thrown) {
        return [`${base}${tone}: ${String(thrown)}`];
      }
    }),
  );
  expect(missing).toEqual([]);
});

test('the sounds chosen for English words are recordings of the same onset and rime', async () => {
  const chosen = await readEnglishSounds(ENGLISH);
  const { partsOf, near } = soundsOf('cantonese');
  const wrong = [...chosen].flatMap(([label, sound]) => {
    const { onset, rime } = partsOf(label);
    const [vowels, coda] = [rime.replace(CODA, ''), CODA.exec(rime)?.[0] ?? ''];
    const isWhole = typeof sound === 'string';
    const onsets = (isWhole ? [sound] : sound.onsets).map((lender) => partsOf(lender).onset);
    const consonants = isWhole ? [onset] : near.consonants(onset);
    const last = partsOf(isWhole ? sound : sound.rime).rime;
    const isRime = isWhole || sound.coda === null ? last === rime : last.replace(CODA, '') === vowels;
    const isCoda = isWhole || sound.coda === null || partsOf(sound.coda).rime.endsWith(coda);
    // In front of i and yu a j is not heard.
    const unheard = onset === '' ? near.onsets(onset, rime) : [];
    const isOnset = onsets.join() === consonants.join() || unheard.includes(onsets.join());
    const { samples } = voice.find(label, true).sound;
    return isOnset && isRime && isCoda && samples.length > LEAST_MS * MS ? [] : [label];
  });
  expect(wrong).toEqual([]);
  expect(voice.labelsFor('naa3', true)).toEqual({ sound: chosen.get('naa3'), tune: 'naa3' });
  expect(voice.labelsFor('naa3', false)).toEqual({ sound: 'naa3', tune: 'naa3' });
});

const jyutpingWord = (label: string): SpokenWord => ({
  written: label,
  language: 'cantonese',
  spokenForm: label,
  reading: [label],
});

/** Voices of recorded people have the spectra of the person, too; this one is such a voice. */
const profiles = (): VoiceProfile[] => [
  ...SHIPPED.map((name) => JSON.parse(readFileSync(join(ROOT, `voices/${name}/voice.json`), 'utf8')).profile),
  SPEAKERS.cantonese.profile,
];

const WORDS_OF_A_PHRASE = 40;
/** One in so many English words is spoken; EVERY=1 speaks all, in every voice and tone. */
const EVERY = Number(process.env['EVERY'] ?? 4);

/** Speaks words, and returns their syllables with less sound than `LEAST_MS`. */
async function silentOf(words: readonly SpokenWord[], profile: VoiceProfile): Promise<string[]> {
  const piece: SpokenPiece = { phrases: [{ words, ending: 'statement' }], spokenForm: '', endsSentence: true };
  const events = await speakAll(opened, requestOf([piece], { voice: { ...voiceOf(), profile }, temperature: 0 }));
  const sound = soundOf(events);
  const spoken = events.flatMap((event) => (event.type === 'word' ? [event] : []));
  if (spoken.length !== words.length) return [`${words.length - spoken.length} words have no time`];
  return spoken.flatMap(({ word, syllables }) =>
    syllables.flatMap(({ text, startMs, endMs }) => {
      const frames = Array.from({ length: Math.floor((endMs - startMs) / FRAME_MS) }, (_, index) => {
        const at = (startMs + index * FRAME_MS) * MS;
        return sound.subarray(at, at + FRAME_MS * MS);
      });
      const heardMs = FRAME_MS * frames.filter((frame) => powerOf(frame) > LEAST_POWER).length;
      return heardMs < LEAST_MS ? [`${text} of ${word.text}: ${heardMs} ms`] : [];
    }),
  );
}

const powerOf = (frame: Float32Array) => frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length;

test('every syllable sounds in the shipped voices and in that of a recorded person', async () => {
  const jyutping = jyutpingBases().map((base, index) => jyutpingWord(`${base}${1 + (index % 6)}`));
  const words = [...jyutping, ...englishWords().filter((_, index) => index % EVERY === 0)];
  const voices = profiles();
  const silent: string[] = [];
  for (let at = 0; at < words.length; at += WORDS_OF_A_PHRASE)
    silent.push(
      ...(await silentOf(words.slice(at, at + WORDS_OF_A_PHRASE), voices[(at / WORDS_OF_A_PHRASE) % voices.length]!)),
    );
  expect(silent).toEqual([]);
});

test('the shortest syllables sound in every voice, in the tones that are quietest', async () => {
  const tones = EVERY === 1 ? [1, 2, 3, 4, 5, 6] : [4, 6];
  const bases = jyutpingBases().filter((base) => EVERY === 1 || /^(?:[bdg]w?)?[aeiou]{1,2}[ptk]$/.test(base));
  const words = bases.flatMap((base) => tones.map((tone) => jyutpingWord(`${base}${tone}`)));
  const silent: string[] = [];
  for (const [index, profile] of profiles().entries()) {
    for (let at = 0; at < words.length; at += WORDS_OF_A_PHRASE) {
      const found = await silentOf(words.slice(at, at + WORDS_OF_A_PHRASE), profile);
      silent.push(...found.map((one) => `voice ${index}: ${one}`));
    }
  }
  expect(silent).toEqual([]);
});

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

test('words that Hong Kong mixes in have a sound for every vowel, and times for every syllable', async () => {
  const [{ pronounce }, addReadings] = await Promise.all([openPronouncer(), loadAddReadings()]);
  const listed = readFileSync(join(import.meta.dirname, 'testing/mixed-words.txt'), 'utf8').split(/\s+/);
  // Finding the recordings is enough to plan; opening all of them takes ten seconds.
  const quickVoice = { ...voice, find: (label: string) => voice.find(voice.labelsFor(label, false).tune, false) };
  const silent: string[] = [];
  for (const [index, word] of [...listed, ...LETTERS].filter(Boolean).entries()) {
    const pieces = splitText(`佢話${word}`, 'cantonese').flatMap((piece) => normalize(piece, 'cantonese') ?? []);
    const phrases = pieces.flatMap((piece) => addReadings(piece).phrases);
    const syllables = [];
    for (const phrase of phrases) syllables.push(...(await planSyllables(phrase, quickVoice, async () => pronounce)));
    const vowels = phrases
      .flatMap(({ words }) => words)
      .filter(({ language }) => language === 'english')
      .flatMap(({ reading, spokenForm }) =>
        reading.length > 0 ? reading : spokenForm.split(/\s+/).flatMap((part) => pronounce(part)[0] ?? []),
      )
      .filter((phone) => /^[AEIOU]/.test(phone)).length;
    if (syllables.length < 2 + Math.max(1, vowels))
      silent.push(`${word}: ${syllables.map(({ label }) => label).join(' ')}`);
    if (index % 100 > 0) continue;
    const events = await speakAll(opened, requestOf(pieces.map(addReadings), { temperature: 0 }));
    const timed = events.flatMap((event) => (event.type === 'word' ? event.syllables : []));
    if (timed.length !== syllables.length) silent.push(`${word}: ${timed.length} times, ${syllables.length} syllables`);
  }
  expect(silent).toEqual([]);
});
