import { oneOf, type VariableGroup } from './variable-types.ts';

export const SPEECH_DETECTORS = ['silero', 'webrtc'] as const;

export const DETECTION_VARIABLES = {
  STT_VAD: oneOf('silero', SPEECH_DETECTORS).describe(
    'What finds the speech in live sessions, and for pulled models and outside servers: a neural model (silero), or the detector of WebRTC, which costs less and takes much noise and music for speech. For recordings the built-in recognizer uses that of WebRTC.',
  ),
} as const;

export const variableGroups: readonly VariableGroup[] = [{ title: 'Finding speech', variables: DETECTION_VARIABLES }];
