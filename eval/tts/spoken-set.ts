import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpokenPiece } from '@jyutsing/contracts/spoken-text';
import { SYNTHESIS_SAMPLE_RATE_HZ, type SynthesisVoice } from '@jyutsing/contracts/synthesizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { loadAddReadings } from '@jyutsing/text/normalization/add-readings';
import { normalize } from '@jyutsing/text/normalization/normalize';
import { splitText } from '@jyutsing/text/normalization/split-text';
import { enginesIn } from '@jyutsing/engines/registry';
import { splitSpeechText } from '#server/features/synthesis/speech.ts';
import { createEngineCache, type EngineCache } from '#server/workers/engine-cache.ts';
import { synthesizeParts } from '#server/workers/synthesize-parts.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { espeakPhones } from '../espeak-phones.ts';
import type { EvaluationSet, Item } from '../read-set.ts';
import { readSentences } from '../spoken-sentences.ts';
import type { EngineLocation } from '../tasks.ts';
import { parseUnit } from '../tokens.ts';

/** Synthesis settings that stay fixed during a measurement. */
export type SynthesisStyle = {
  model: string;
  temperature: number;
  /** Default: 1. */
  speed?: number;
  /** Said instead of the readings of the text. */
  jyutping?: string;
};

/**
 * Sentences of a language in a fixed order, those for the recognizers first. No model was trained
 * on them.
 */
export async function sentencesToSpeak(language: Language, count: number): Promise<string[]> {
  const ownSentences = (await readSentences(language)).map(({ text }) => text);
  const more =
    language === 'cantonese'
      ? (await readLines('../fusion/fusion-sentences.tsv')).slice(1).map((line) => line.split('\t', 1)[0] ?? '')
      : await readLines(language === 'mandarin' ? 'sentences-cmn.txt' : 'sentences-eng.txt');
  return [...ownSentences, ...more].slice(0, count);
}

/**
 * Synthesizes sentences with alternating voices into a set for recognizers. Its units are the
 * engine's input: readings of the front end, and for English the phones of espeak-ng's American
 * voice.
 */
export async function makeSpokenSet(
  language: Language,
  options: { sentences: readonly string[]; voices: readonly SynthesisVoice[]; style: SynthesisStyle; folder: string },
  place: EngineLocation,
  onProgress: (count: number) => void,
): Promise<EvaluationSet & { language: Language }> {
  const items: Item[] = [];
  for (const [index, text] of options.sentences.entries()) {
    const voice = options.voices[index % options.voices.length]!;
    const path = join(options.folder, `${language}-${index}.wav`);
    await writeFile(path, await speakToWav(text, language, voice, options.style, place));
    items.push(await itemOf(text, language, path, voice.id));
    onProgress(index + 1);
  }
  return { name: `spoken by ${options.style.model} (${language})`, language, items };
}

/** Evaluation item of a synthesized text. */
export async function itemOf(text: string, language: Language, path: string, speaker: string): Promise<Item> {
  reader ??= loadAddReadings();
  const read = await reader;
  const pieces = splitText(text, language).flatMap((part) => normalize(part, language) ?? []);
  return { path, language, text, units: await unitsOf(pieces.map(read), language), speaker };
}
let reader: ReturnType<typeof loadAddReadings> | null = null;

const caches = new Map<string, EngineCache>();

/** Keeps models open between texts. */
function enginesAt(place: EngineLocation): EngineCache {
  const key = JSON.stringify(place);
  const cache = caches.get(key) ?? createEngineCache(enginesIn(place));
  caches.set(key, cache);
  return cache;
}

/** Synthesizes a text as the service does, to a WAV file. */
export async function speakToWav(
  text: string,
  language: Language,
  voice: SynthesisVoice,
  { model, temperature, speed = 1, jyutping }: SynthesisStyle,
  place: EngineLocation,
): Promise<Buffer> {
  const engines = enginesAt(place);
  const ref = (await engines.registry()).select('synthesizer', { language, model });
  const pieces: Float32Array[] = [];
  const style = { temperature, topP: 0.95, speed, pitchSemitones: 0 };
  const { parts, ...whole } = await splitSpeechText({
    text,
    jyutping: jyutping ?? null,
    language,
    fromSimplified: false,
  });
  for (const part of parts) {
    const speech = { model: ref, voice, style, seed: 1, text: { ...whole, parts: [part] } };
    for await (const event of synthesizeParts(speech, engines, new AbortController().signal)) {
      if (event.type === 'audio') pieces.push(event.samples);
    }
  }
  return wavBytes({ sampleRateHz: SYNTHESIS_SAMPLE_RATE_HZ, channels: [joinSamples(pieces)] });
}

/** Returns null if any word is in another language, whose sounds are not among the units. */
async function unitsOf(pieces: readonly SpokenPiece[], language: Language): Promise<string[] | null> {
  if (language === 'english') return espeakPhones(pieces.map(({ spokenForm }) => spokenForm).join(' '), 'en-us');
  const words = pieces.flatMap(({ phrases }) => phrases.flatMap((phrase) => phrase.words));
  const units = words.flatMap((word) => (word.language === language ? word.reading : ['?']));
  const parsed = units.map((unit) => parseUnit(language, unit));
  return parsed.includes(null) ? null : parsed.filter((unit) => unit !== null);
}

async function readLines(file: string): Promise<string[]> {
  return (await readFile(join(import.meta.dirname, file), 'utf8')).trim().split('\n');
}
