import { fireRedFiles, qwen3AsrFiles, whisperFiles } from './generative-models.ts';
import { installTestModel, senseVoiceFiles, transducerFiles, wenetCtcFiles } from './recognizer-models.ts';

/** Installs a test model for every recognizer of the sherpa-onnx catalogue. */
export async function installEveryRecognizer(modelsDir: string): Promise<void> {
  await installTestModel(modelsDir, 'wsyue-u2pp', wenetCtcFiles());
  await installTestModel(modelsDir, 'sense-voice-yue-2025', senseVoiceFiles());
  await installTestModel(modelsDir, 'sense-voice-2024', senseVoiceFiles());
  for (const size of ['tiny', 'base', 'small', 'medium', 'large-v3', 'turbo']) {
    await installTestModel(modelsDir, `whisper-${size}`, whisperFiles(size));
  }
  await installTestModel(modelsDir, 'zipformer-cantonese', transducerFiles());
  await installTestModel(modelsDir, 'x-asr-zh-en', transducerFiles('epoch-99-avg-1'));
  await installTestModel(modelsDir, 'fire-red-asr2', fireRedFiles());
  await installTestModel(modelsDir, 'qwen3-asr-0.6b', qwen3AsrFiles());
}
