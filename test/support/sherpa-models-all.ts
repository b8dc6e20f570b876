import { qwen3AsrFiles, whisperFiles } from './sherpa-models-generative.ts';
import { installMadeUp, senseVoiceFiles, transducerFiles, wenetCtcFiles } from './sherpa-models.ts';

/** Installs a made-up model in the place of every recogniser of the sherpa-onnx catalogue. */
export async function installEveryRecognizer(modelsDir: string): Promise<void> {
  await installMadeUp(modelsDir, 'wsyue-u2pp', wenetCtcFiles());
  await installMadeUp(modelsDir, 'sense-voice-yue-2025', senseVoiceFiles());
  await installMadeUp(modelsDir, 'sense-voice-2024', senseVoiceFiles());
  for (const size of ['tiny', 'base', 'small', 'medium', 'large-v3', 'turbo']) {
    await installMadeUp(modelsDir, `whisper-${size}`, whisperFiles(size));
  }
  await installMadeUp(modelsDir, 'zipformer-cantonese', transducerFiles());
  await installMadeUp(modelsDir, 'qwen3-asr-0.6b', qwen3AsrFiles());
}
