// Writes speaker embeddings of windows of simulated conversations, with their speakers, for
// fit_voices.py.
// usage: write-windows.ts RECORDINGS_FOLDER GROUP CONVERSATIONS OUT.json [MODELS_FOLDER]
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createActivityTrack, SPEAKER_FRAME_MS, type VoiceWindow } from '@jyutsing/audio/speaker-clustering/frames';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { AppError } from '@jyutsing/contracts/errors';
import { analyzeRecording, type RecordingAnalysis } from '#packages/engines/builtin/speakers/analyze-recording.ts';
import { openSpeakerModels } from '#packages/engines/builtin/speakers/models.ts';
import { DIARIZATION_OPTIONS } from '#packages/engines/builtin/speakers/options.ts';
import { findVoices, SPEAKER_GROUPS } from './find-voices.ts';
import { makeConversations } from './conversations.ts';
import type { Turn } from './diarization-error.ts';
import { asChunks, readSamples } from '../sound.ts';

/** Excludes speakers recorded as thousands of single words, which make no conversations. */
const MAX_RECORDINGS = 200;
/** Minimum share of a window for its main speaker, and maximum share of any other. */
const OWN_SHARE = 0.6;
const OTHER_SHARE = 0.15;

const [recordings = '', groupName = '', conversations = '', out = '', models] = process.argv.slice(2);
const group = SPEAKER_GROUPS.find((name) => name === groupName);
if (group === undefined || out === '')
  throw new AppError('invalid_parameter', 'See the usage at the top of this file.');
const networks = await openSpeakerModels(resolve(models ?? join(import.meta.dirname, '../../models')), false);
const voices = (await findVoices([recordings], group)).filter(({ paths }) => paths.length <= MAX_RECORDINGS);
const vectors: Float32Array[] = [];
const speakers: string[] = [];
for (const count of [1, 2, 3, 4]) {
  for await (const { name, samples, turns } of makeConversations(voices, count, Number(conversations), readSamples)) {
    const found: RecordingAnalysis = { track: createActivityTrack(), windows: [] };
    const { signal } = new AbortController();
    for await (const untilMs of analyzeRecording(
      asChunks(samples),
      networks,
      DIARIZATION_OPTIONS.analysis,
      found,
      signal,
    ))
      void untilMs;
    for (const window of found.windows) {
      const speaker = speakerOf(window, turns);
      vectors.push(window.voice);
      // Channel conditions differ between conversations, so a speaker in two of them counts as two.
      speakers.push(speaker === null ? '' : `${name}/${speaker}`);
    }
  }
}
await networks.close();
const bytes = Buffer.from(joinSamples(vectors).buffer);
const read = { size: vectors[0]?.length ?? 0, speakers, vectors: bytes.toString('base64') };
await writeFile(out, JSON.stringify(read));

/** The only speaker of a window; null without one or with several. */
function speakerOf({ fromFrame, toFrame }: VoiceWindow, turns: readonly Turn[]): Turn['speaker'] | null {
  const [startMs, endMs] = [fromFrame * SPEAKER_FRAME_MS, toFrame * SPEAKER_FRAME_MS];
  const shares = new Map<Turn['speaker'], number>();
  for (const turn of turns) {
    const sharedMs = Math.min(turn.endMs, endMs) - Math.max(turn.startMs, startMs);
    if (sharedMs > 0) shares.set(turn.speaker, (shares.get(turn.speaker) ?? 0) + sharedMs / (endMs - startMs));
  }
  const [first, second = 0] = [...shares.values()].sort((a, b) => b - a);
  if (first === undefined || first < OWN_SHARE || second > OTHER_SHARE) return null;
  return [...shares].find(([, share]) => share === first)?.[0] ?? null;
}
