import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { AppError } from '@jyutsing/contracts/errors';
import { createCheckedSpeechDetector } from '@jyutsing/audio/speech/checked-speech-detector';
import { createLiveSpeechDetector, type LiveSpeechDetector } from '@jyutsing/audio/speech/live-speech-detector';
import { createWebRtcSpeechDetector, type SpeechDetector } from '@jyutsing/audio/speech/speech-detector';
import { containsSpeech } from '@jyutsing/audio/speech/spoken-windows';
import type { VoiceModel } from '@jyutsing/audio/speech/voice-model';
import { readVariables } from './engine-settings.ts';
import { sileroFile } from './silero-file.ts';
import { DETECTION_VARIABLES, type SPEECH_DETECTORS } from './variables.ts';

type DetectorName = (typeof SPEECH_DETECTORS)[number];

const Variables = z.object(DETECTION_VARIABLES);

/**
 * Chooses the detector: the one of STT_VAD, but WebRTC's where the model is missing. It is part of
 * the engines' versions, because it decides what is recognized. Throws `engine_unavailable` that
 * names the variable.
 */
export function speechDetectorOf({ builtinModelsDir, settings }: Omit<EngineEnv, 'modelsDir'>): DetectorName {
  const read = readVariables(Variables, settings);
  if (!('settings' in read))
    throw new AppError('engine_unavailable', `The speech detector cannot be chosen: ${read.reason}.`);
  const { STT_VAD: name } = read.settings;
  return name === 'silero' && !existsSync(sileroFile(builtinModelsDir)) ? 'webrtc' : name;
}

/** Returns the voice model of this server; a missing file shows at its first use. */
export function voiceModelOf({ builtinModelsDir }: Pick<EngineEnv, 'builtinModelsDir'>): VoiceModel {
  return async (samples) => {
    const { createSileroVoice } = await import('./silero-voice.ts');
    return createSileroVoice(sileroFile(builtinModelsDir))(samples);
  };
}

/** Returns a function that makes a detector for one recording. */
export function createDetectorOf(env: Omit<EngineEnv, 'modelsDir'>): () => Promise<SpeechDetector> {
  if (speechDetectorOf(env) === 'webrtc') return createWebRtcSpeechDetector;
  return () => createCheckedSpeechDetector(voiceModelOf(env));
}

/**
 * Returns a function that tells whether a live piece is speech after all, as far as it is complete.
 * WebRTC's detector has no second opinion.
 */
export function speechCheckOf(env: Omit<EngineEnv, 'modelsDir'>): (samples: Float32Array) => Promise<boolean> {
  if (speechDetectorOf(env) === 'webrtc') return async () => true;
  const voiceOf = voiceModelOf(env);
  return (samples) => containsSpeech(samples, voiceOf);
}

/** Returns a function that makes a detector for one live session. */
export function createLiveDetectorOf(env: Omit<EngineEnv, 'modelsDir'>): () => Promise<LiveSpeechDetector> {
  if (speechDetectorOf(env) === 'webrtc') return createLiveSpeechDetector;
  const file = sileroFile(env.builtinModelsDir);
  return async () => (await import('./silero-detector.ts')).createLiveSileroDetector(file);
}
