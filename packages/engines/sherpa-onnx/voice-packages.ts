import type { ModelPackage } from '@jyutsing/contracts/model-package';
import { MB, published } from './published-package.ts';

/** Files of the folder that espeak-ng reads; the library ends the process without them. */
const ESPEAK_FILES = ['phontab', 'phonindex', 'phondata', 'intonations'].map((name) => `espeak-ng-data/${name}`);

/** Voices, and the vocoders that some of them need. */
export const voicePackages: readonly ModelPackage[] = [
  published({
    name: 'vits-cantonese',
    title: 'Cantonese VITS voice (xiaomaiiwn)',
    purpose: 'synthesizer',
    languages: ['cantonese'],
    // SPDX identifier for an unknown licence.
    licence: 'NOASSERTION',
    homepage: 'https://huggingface.co/csukuangfj/vits-cantonese-hf-xiaomaiiwn',
    tag: 'tts-models',
    file: 'vits-cantonese-hf-xiaomaiiwn.tar.bz2',
    sizeBytes: 107_995_442,
    sha256: 'bf3013cd4be34f531b7e514e708d835584dd60c9ad6eaf467ac1402005c04e46',
    files: ['vits-cantonese-hf-xiaomaiiwn.onnx', 'lexicon.txt', 'tokens.txt'],
  }),
  published({
    name: 'kokoro',
    title: 'Kokoro 82M 1.0: English and Mandarin voices',
    purpose: 'synthesizer',
    languages: ['mandarin', 'english'],
    licence: 'Apache-2.0',
    homepage: 'https://huggingface.co/hexgrad/Kokoro-82M',
    tag: 'tts-models',
    file: 'kokoro-multi-lang-v1_0.tar.bz2',
    sizeBytes: 350 * MB,
    sha256: null,
    files: ['model.onnx', 'voices.bin', 'tokens.txt', 'lexicon-us-en.txt', 'lexicon-zh.txt', ...ESPEAK_FILES],
  }),
  published({
    name: 'matcha-mandarin',
    title: 'Matcha-TTS, a Mandarin voice (Baker): not for commercial use',
    purpose: 'synthesizer',
    languages: ['mandarin'],
    // The data set allows no commercial use, so the model hardly allows it.
    licence: 'NOASSERTION',
    homepage: 'https://github.com/k2-fsa/icefall/tree/master/egs/baker_zh/TTS',
    tag: 'tts-models',
    file: 'matcha-icefall-zh-baker.tar.bz2',
    sizeBytes: 75 * MB,
    sha256: null,
    files: ['model-steps-3.onnx', 'lexicon.txt', 'tokens.txt'],
    requires: ['vocos-22khz'],
  }),
  published({
    name: 'matcha-english',
    title: 'Matcha-TTS, an American English voice (LJ Speech)',
    purpose: 'synthesizer',
    languages: ['english'],
    // No licence is stated; only the recipe that trained it is under Apache-2.0.
    licence: 'NOASSERTION',
    homepage: 'https://github.com/k2-fsa/icefall/tree/master/egs/ljspeech/TTS',
    tag: 'tts-models',
    file: 'matcha-icefall-en_US-ljspeech.tar.bz2',
    sizeBytes: 76_747_608,
    sha256: null,
    files: ['model-steps-3.onnx', 'tokens.txt', ...ESPEAK_FILES],
    requires: ['vocos-22khz'],
  }),
  published({
    name: 'zipvoice',
    title: 'ZipVoice distilled, int8: clones a voice from a recording and its words, Mandarin and English',
    purpose: 'synthesizer',
    languages: ['mandarin', 'english'],
    // No licence is stated for the converted model nor for its weights; its code is under
    // Apache-2.0.
    licence: 'NOASSERTION',
    homepage: 'https://github.com/k2-fsa/ZipVoice',
    tag: 'tts-models',
    file: 'sherpa-onnx-zipvoice-distill-int8-zh-en-emilia.tar.bz2',
    sizeBytes: 109_162_785,
    sha256: '77219c8b40f4ee8d73a7f902305ff6c1128ef9b54461c41b4ca6ed890b6c2803',
    files: ['encoder.int8.onnx', 'decoder.int8.onnx', 'lexicon.txt', 'tokens.txt', ...ESPEAK_FILES],
    requires: ['vocos-24khz'],
  }),
  published({
    name: 'vocos-22khz',
    title: 'Vocos vocoder, 22 kHz: for the Matcha voices',
    purpose: 'vocoder',
    languages: [],
    licence: 'Apache-2.0',
    homepage: 'https://huggingface.co/BSC-LT/vocos-mel-22khz',
    tag: 'vocoder-models',
    file: 'vocos-22khz-univ.onnx',
    sizeBytes: 53_884_024,
    sha256: '0574a135aa1db2de6e181050db2ec528496cacd4a4701fc5d7faf9f9804c0081',
    files: ['vocos-22khz-univ.onnx'],
  }),
  published({
    name: 'vocos-24khz',
    title: 'Vocos vocoder, 24 kHz: for ZipVoice',
    purpose: 'vocoder',
    languages: [],
    licence: 'MIT',
    homepage: 'https://huggingface.co/charactr/vocos-mel-24khz',
    tag: 'vocoder-models',
    file: 'vocos_24khz.onnx',
    sizeBytes: 54_157_409,
    sha256: 'bcb3b970e384161c4d634f0bb9e999ff1c471b34c9bc0b1049a5014065ed3cc0',
    files: ['vocos_24khz.onnx'],
  }),
];
