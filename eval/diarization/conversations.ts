import { joinSamples } from '@jyutsing/audio/join-samples';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { speechStretches, type Stretch } from './speech-stretches.ts';
import { addInRoom, addNoise, FAR_ROOM, makeRoom, NEAR_ROOM, type Room, type RoomRange } from './room.ts';
import type { Voice } from './find-voices.ts';
import type { Turn } from './diarization-error.ts';
import { createRandom, drawBetween } from '#packages/numeric/random.ts';

/** Simulated conversation: 16 kHz mono audio with its true speaker turns. */
type Conversation = { name: string; speakers: number; samples: Float32Array; turns: Turn[] };

/** One utterance of a speaker: trimmed, level-normalized audio and the speech stretches in it. */
type Utterance = { samples: Float32Array; speech: Stretch[]; lengthMs: number };

const SHORTEST_MS = 90_000;
const LONGEST_MS = 180_000;
const PAUSE_MS = [200, 1_500] as const;
/** Pause between utterances of the same speaker. */
const SAME_SPEAKER_PAUSE_MS = [100, 600] as const;
const OVERLAP_MS = [300, 2_500] as const;
const SPEECH_LEVEL_DB = -24;
/** Minimum speech of a speaker for conversations of few speakers. */
const MIN_SPEECH_MS = 40_000;

/** Conditions of recording. */
export type Conditions = {
  /** Target overlap share: pauses inside overlapping speech reduce it by a fourth. */
  overlapAim: number;
  levelRangeDb: number;
  noiseBelowSpeechDb: readonly [number, number];
  roomShare: number;
  room: RoomRange;
  /** Most utterances in a turn. */
  turnUtterances: number;
};

/** Everyone is near the microphone. */
export const NEAR: Conditions = {
  overlapAim: 0.13,
  levelRangeDb: 6,
  noiseBelowSpeechDb: [20, 40],
  roomShare: 1 / 2,
  room: NEAR_ROOM,
  turnUtterances: 3,
};

/** One microphone in a room with echoes, far from some, who often speak at once. */
export const FAR: Conditions = {
  overlapAim: 0.25,
  levelRangeDb: 8,
  noiseBelowSpeechDb: [10, 25],
  roomShare: 1,
  room: FAR_ROOM,
  turnUtterances: 2,
};

/**
 * Builds conversations from recordings of single speakers, deterministically for the same
 * arguments: turns of one to three utterances, pauses of 0.2–1.5 s, a tenth overlap, levels ± 6 dB,
 * noise 20–40 dB below speech, half with room reverberation. No utterance is used twice in a
 * conversation.
 */
export async function* makeConversations(
  voices: readonly Voice[],
  speakers: number,
  count: number,
  read: (path: string) => Promise<Float32Array>,
  conditions: Conditions = NEAR,
): AsyncGenerator<Conversation> {
  const random = createRandom(1_000 + speakers);
  const readings = new Map<Voice, Promise<Utterance[]>>();
  const utterancesOf = (voice: Voice): Promise<Utterance[]> => {
    const found = readings.get(voice) ?? readUtterances(voice, read);
    readings.set(voice, found);
    return found;
  };
  const longVoices: Voice[] = [];
  const shortVoices: Voice[] = [];
  for (const voice of voices) {
    const lengthMs = (await utterancesOf(voice)).reduce((sum, utterance) => sum + utterance.lengthMs, 0);
    if (lengthMs >= MIN_SPEECH_MS) longVoices.push(voice);
    else if (lengthMs > 0) shortVoices.push(voice);
  }
  const drawLong = createDrawer(longVoices, random);
  const drawShort = createDrawer(shortVoices, random);
  // Up to half of the speakers may have a single short recording when the others have enough
  // speech.
  const maxShort = shortVoices.length === 0 ? 0 : Math.floor((speakers - 1) / 2);
  if (longVoices.length < speakers) return;
  for (let index = 0; index < count; index += 1) {
    const shortCount = Math.floor(random() * (maxShort + 1));
    const drawn = [...drawLong(speakers - shortCount), ...drawShort(shortCount)];
    const material = await Promise.all(drawn.map(async (voice) => shuffled(await utterancesOf(voice), random)));
    yield { name: `${speakers}-${index}`, speakers, ...converse(material, random, conditions) };
  }
}

/**
 * Draws values at random: every value once before any repeats, and no duplicates within one draw.
 */
function createDrawer<Value>(values: readonly Value[], random: () => number): (count: number) => Value[] {
  let waiting: Value[] = [];
  return (count) => {
    const drawn: Value[] = [];
    while (drawn.length < Math.min(count, values.length)) {
      if (waiting.length === 0) waiting = shuffled(values, random);
      const at = waiting.findIndex((value) => !drawn.includes(value));
      if (at < 0) waiting = shuffled(values, random);
      else drawn.push(...waiting.splice(at, 1));
    }
    return drawn;
  };
}

function shuffled<Value>(values: readonly Value[], random: () => number): Value[] {
  const keyed = values.map((value) => ({ value, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}

type Placed = Utterance & { startMs: number; speaker: number };

function converse(
  material: readonly Utterance[][],
  random: () => number,
  conditions: Conditions,
): { samples: Float32Array; turns: Turn[] } {
  const between = (range: readonly [number, number]) => drawBetween(random, range);
  const targetMs = between([SHORTEST_MS, LONGEST_MS]);
  const placed: Placed[] = [];
  const queues = material.map((utterances) => [...utterances]);
  let atMs = between([200, 1_000]);
  let [speechMs, overlapMs, lastTurnMs] = [0, 0, 0];
  let last = -1;
  while (atMs < targetMs) {
    const speaker = nextSpeaker(queues, last, placed, random);
    if (speaker === null) break;
    const turn = queues[speaker]!.splice(0, 1 + Math.floor(random() * conditions.turnUtterances));
    const turnMs = turn.reduce((sum, utterance) => sum + utterance.lengthMs, 0);
    const isOverlapping =
      last >= 0 && last !== speaker && overlapMs < conditions.overlapAim * speechMs && random() < 0.8;
    const sharedMs = isOverlapping ? Math.min(between(OVERLAP_MS), lastTurnMs / 2, turnMs / 2) : 0;
    atMs += isOverlapping ? -sharedMs : last < 0 ? 0 : between(PAUSE_MS);
    const startMs = atMs;
    for (const [index, utterance] of turn.entries()) {
      if (index > 0) atMs += between(SAME_SPEAKER_PAUSE_MS);
      placed.push({ ...utterance, startMs: atMs, speaker });
      atMs += utterance.lengthMs;
    }
    speechMs += turnMs - sharedMs;
    overlapMs += sharedMs;
    lastTurnMs = atMs - startMs;
    last = speaker;
  }
  return record(placed, material.length, atMs + between([200, 1_000]), random, conditions);
}

/**
 * Draws the next speaker, not the last one unless alone; new speakers are likelier. Null: no
 * utterances left.
 */
function nextSpeaker(
  queues: readonly Utterance[][],
  last: number,
  placed: readonly Placed[],
  random: () => number,
): number | null {
  const able = [...queues.keys()].filter(
    (speaker) => queues[speaker]!.length > 0 && (speaker !== last || queues.length === 1),
  );
  const weights = able.map((candidate) => (placed.some(({ speaker }) => speaker === candidate) ? 1 : 3));
  let draw = random() * weights.reduce((sum, weight) => sum + weight, 0);
  return able.find((_, index) => (draw -= weights[index]!) < 0) ?? null;
}

function record(
  placed: readonly Placed[],
  speakers: number,
  lengthMs: number,
  random: () => number,
  { levelRangeDb, noiseBelowSpeechDb, roomShare, room }: Conditions,
) {
  const samples = new Float32Array(Math.ceil((lengthMs * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000));
  const isInRoom = random() < roomShare;
  const anechoic: Room = { delays: [0], gains: [1] };
  const channels = Array.from({ length: speakers }, () => ({
    gain: 10 ** ((SPEECH_LEVEL_DB + levelRangeDb * (2 * random() - 1)) / 20),
    room: isInRoom ? makeRoom(random, room) : anechoic,
  }));
  addNoise(samples, SPEECH_LEVEL_DB - drawBetween(random, noiseBelowSpeechDb), random);
  const turns: Turn[] = [];
  for (const { samples: sound, speech, startMs, speaker } of placed) {
    const { gain, room } = channels[speaker]!;
    const firstSample = atSample(startMs);
    addInRoom(samples, sound, firstSample, gain, room);
    turns.push(
      ...speech.map((stretch) => ({ startMs: startMs + stretch.startMs, endMs: startMs + stretch.endMs, speaker })),
    );
  }
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return { samples: peak > 0.95 ? samples.map((sample) => (sample * 0.95) / peak) : samples, turns };
}

/** Shorter pieces are dropped. Longer recordings are cut at pauses. */
const SHORTEST_UTTERANCE_MS = 1_200;
const LONG_UTTERANCE_MS = 4_000;
const CUT_PAUSE_MS = 300;
const MARGIN_MS = 60;

async function readUtterances(voice: Voice, read: (path: string) => Promise<Float32Array>): Promise<Utterance[]> {
  const utterances: Utterance[] = [];
  for (const path of voice.paths) {
    const samples = await read(path);
    for (const { startMs, endMs } of piecesOf(speechStretches(samples))) {
      const fromSample = Math.max(0, atSample(startMs - MARGIN_MS));
      const toSample = atSample(endMs + MARGIN_MS);
      const utterance = levelled(samples.slice(fromSample, toSample));
      if (utterance !== null) utterances.push(utterance);
    }
  }
  return utterances;
}

/** Merges stretches into pieces and starts a new one at a pause once four seconds are reached. */
function piecesOf(stretches: readonly Stretch[]): Stretch[] {
  const pieces: Stretch[] = [];
  for (const stretch of stretches) {
    const open = pieces.at(-1);
    const isCut =
      open === undefined ||
      (open.endMs - open.startMs >= LONG_UTTERANCE_MS && stretch.startMs - open.endMs >= CUT_PAUSE_MS);
    if (isCut) pieces.push({ ...stretch });
    else open.endMs = stretch.endMs;
  }
  return pieces.filter(({ startMs, endMs }) => endMs - startMs >= SHORTEST_UTTERANCE_MS);
}

function atSample(timeMs: number): number {
  return Math.round((timeMs * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000);
}

/** Normalizes the audio to unit power of its speech; null without speech. */
function levelled(samples: Float32Array): Utterance | null {
  const speech = speechStretches(samples);
  const spoken = joinSamples(speech.map(({ startMs, endMs }) => samples.subarray(atSample(startMs), atSample(endMs))));
  const power = spoken.reduce((sum, sample) => sum + sample * sample, 0) / spoken.length;
  if (!(power > 0)) return null;
  const gain = 1 / Math.sqrt(power);
  return {
    samples: samples.map((sample) => sample * gain),
    speech,
    lengthMs: (samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ,
  };
}
