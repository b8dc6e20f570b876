import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import { AppError } from '@jyutsing/contracts/errors';
import { createLiveSpeechDetector, type LiveSpeechDetector } from '@jyutsing/audio/speech/live-speech-detector';
import { createWebRtcSpeechDetector, type SpeechDetector } from '@jyutsing/audio/speech/speech-detector';
import { readVariables } from './engine-settings.ts';
import { sileroFile } from './silero-detector.ts';
import { DETECTION_VARIABLES, type SPEECH_DETECTORS } from './variables.ts';

type DetectorName = (typeof SPEECH_DETECTORS)[number];

/**
 * Chooses the detector for live speech, pulled models and outside servers: the one of STT_VAD, but
 * WebRTC's where the model is missing. The built-in recognizer keeps WebRTC's for recordings,
 * because it would run at half its speed with Silero's. The detector is part of the engines'
 * versions, because it decides what is recognized. Throws `engine_unavailable` that names the
 * variable.
 */
export function speechDetectorOf({ builtinModelsDir, settings }: Omit<EngineEnv, 'modelsDir'>): DetectorName {
  const read = readVariables(z.object(DETECTION_VARIABLES), settings);
  if (!('settings' in read))
    throw new AppError('engine_unavailable', `The speech detector cannot be chosen: ${read.reason}.`);
  const { STT_VAD: name } = read.settings;
  return name === 'silero' && !existsSync(sileroFile(builtinModelsDir)) ? 'webrtc' : name;
}

/** Returns a function that makes a detector for one recording. */
export function createDetectorOf(env: Omit<EngineEnv, 'modelsDir'>): () => Promise<SpeechDetector> {
  if (speechDetectorOf(env) === 'webrtc') return createWebRtcSpeechDetector;
  const file = sileroFile(env.builtinModelsDir);
  return async () => (await import('./silero-detector.ts')).createSileroDetector(file);
}

/** Returns a function that makes a detector for one live session. */
export function createLiveDetectorOf(env: Omit<EngineEnv, 'modelsDir'>): () => Promise<LiveSpeechDetector> {
  if (speechDetectorOf(env) === 'webrtc') return createLiveSpeechDetector;
  const file = sileroFile(env.builtinModelsDir);
  return async () => (await import('./silero-detector.ts')).createLiveSileroDetector(file);
}
