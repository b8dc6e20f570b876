import { join } from 'node:path';

/** Returns the path of the weights of Silero's voice activity detector. */
export const sileroFile = (builtinModelsDir: string): string =>
  join(builtinModelsDir, 'voice-activity/silero_vad.onnx');
