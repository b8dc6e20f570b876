import type { AudioInfo, PcmChunk } from '@jyutsing/contracts/audio';
import type { SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import type { SpeechFileRequest, RenderedSpeechFile } from '@jyutsing/audio/encoding/render-speech-file';
import { probeAudio } from '@jyutsing/audio/probe';
import type { MeasuredSample } from '@jyutsing/audio/voice/measure-voice-sample';
import type { ScoredRecording } from '#features/pronunciation/score-recording.ts';
import type { FusionEvent } from '#features/transcription/stages.ts';
import { serveTasks } from './pool/serve-tasks.ts';
import type { CorrectorModels, FuseCall } from './tasks/fuse.ts';
import { listen, type ListenCall } from './tasks/listen.ts';
import { openModel } from './opened-engines.ts';
import type { PlacedScoreCall } from './tasks/score.ts';
import type { PlacedSpeakCall } from './tasks/speak.ts';
import type { MeasureVoiceCall, ProbeCall, SpeakWarmUpCall, RecognizeWarmUpCall } from './worker-pools.ts';

/** What one worker process can do; the main process talks to it through speech-workers.ts. */
serveTasks({
  probe: (payload) => probe(payload as ProbeCall),
  listen: (payload, signal) => listen(payload as ListenCall, signal),
  fuse: (payload, signal) => fuse(payload as FuseCall, signal),
  'prepare-fusion': (payload) => prepareFusion(payload as CorrectorModels),
  'warm-up': (payload, signal) => warmUp(payload as RecognizeWarmUpCall, signal),
  speak: (payload, signal) => speak(payload as PlacedSpeakCall, signal),
  'prepare-to-speak': (payload) => prepareToSpeak(payload as SpeakWarmUpCall),
  score: (payload, signal) => score(payload as PlacedScoreCall, signal),
  'prepare-to-score': (payload) => prepareToScore(payload as Omit<PlacedScoreCall, 'call'>),
  'measure-voice': (payload, signal) => measureVoice(payload as MeasureVoiceCall, signal),
  'render-speech-file': (payload, signal) => renderSpeechFile(payload as SpeechFileRequest, signal),
});

async function* probe(call: ProbeCall): AsyncGenerator<AudioInfo> {
  yield await probeAudio(call.path, call.limits);
}

// Imported here: its dictionaries take half a second and 150 MB, which processes that only listen should not pay.
async function* fuse(call: FuseCall, signal: AbortSignal): AsyncGenerator<FusionEvent> {
  const { fuseTranscript } = await import('./tasks/fuse.ts');
  yield* fuseTranscript(call, signal);
}

async function* prepareFusion(models: CorrectorModels): AsyncGenerator<{ type: 'warm' }> {
  const { openCorrectors } = await import('./tasks/fuse.ts');
  await openCorrectors(models);
  yield { type: 'warm' };
}

/** Hears nothing, for which the models must be loaded all the same. */
async function* warmUp(call: RecognizeWarmUpCall, signal: AbortSignal): AsyncGenerator<{ type: 'warm' }> {
  const { language, model } = call;
  const recognizer = await openModel(call, model);
  const options = { language, context: null, romanize: false };
  for await (const event of recognizer.recognize(silence(), options, signal)) void event;
  yield { type: 'warm' };
}

async function* silence(): AsyncGenerator<PcmChunk> {}

// All of these are imported when they are needed: a process that listens should not load what speaks.
async function* speak(call: PlacedSpeakCall, signal: AbortSignal): AsyncGenerator<SynthesisEvent> {
  yield* (await import('./tasks/speak.ts')).speak(call, signal);
}

async function* prepareToSpeak(call: SpeakWarmUpCall): AsyncGenerator<{ type: 'warm' }> {
  await (await import('./tasks/speak.ts')).prepareToSpeak(call);
  yield { type: 'warm' };
}

async function* score(call: PlacedScoreCall, signal: AbortSignal): AsyncGenerator<ScoredRecording> {
  yield await (await import('./tasks/score.ts')).score(call, signal);
}

async function* prepareToScore(call: Omit<PlacedScoreCall, 'call'>): AsyncGenerator<{ type: 'warm' }> {
  await (await import('./tasks/score.ts')).prepareToScore(call);
  yield { type: 'warm' };
}

async function* measureVoice({ path }: MeasureVoiceCall, signal: AbortSignal): AsyncGenerator<MeasuredSample> {
  const { measureVoiceSample } = await import('@jyutsing/audio/voice/measure-voice-sample');
  yield await measureVoiceSample(path, signal);
}

async function* renderSpeechFile(call: SpeechFileRequest, signal: AbortSignal): AsyncGenerator<RenderedSpeechFile> {
  const finishing = await import('@jyutsing/audio/encoding/render-speech-file');
  yield await finishing.renderSpeechFile(call, signal);
}
