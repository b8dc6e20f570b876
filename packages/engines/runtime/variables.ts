import { oneOf, type VariableGroup } from './variable-types.ts';

export const SPEECH_DETECTORS = ['silero', 'webrtc'] as const;

export const DETECTION_VARIABLES = {
  STT_VAD: oneOf('silero', SPEECH_DETECTORS).describe(
    'What finds the speech in recordings and live sessions: the detector of WebRTC with a neural model that tells speech from noise and music (silero), or the detector of WebRTC alone, which costs less and takes much noise and music for speech.',
  ),
} as const;

export const variableGroups: readonly VariableGroup[] = [{ title: 'Finding speech', variables: DETECTION_VARIABLES }];
