import type { ModelPackage } from '@jyutsing/contracts/model-package';

const RELEASES = 'https://github.com/k2-fsa/sherpa-onnx/releases/download';
const MB = 1_000_000;
const MIB = 1_048_576;

type ReleaseTag =
  | 'asr-models'
  | 'punctuation-models'
  | 'speaker-recongition-models'
  | 'speaker-segmentation-models'
  | 'tts-models'
  | 'vocoder-models';

/** The differing properties of packages; the URL follows from their release. */
type Entry = Omit<ModelPackage, 'url' | 'archive' | 'checksum'> & {
  tag: ReleaseTag;
  file: string;
  /**
   * SHA-256 of the download; docs/compatibility.md lists the sources. Null where none is known:
   * then the publisher's list is used, which is emptied and written again every day.
   */
  sha256: string | null;
};

function published({ tag, file, sha256, ...rest }: Entry): ModelPackage {
  return {
    ...rest,
    url: `${RELEASES}/${tag}/${file}`,
    archive: file.endsWith('.tar.bz2') ? 'tar.bz2' : 'none',
    checksum: checksumOf(tag, sha256),
  };
}

/** The publisher makes no list for vocoders. */
function checksumOf(tag: ReleaseTag, sha256: string | null): ModelPackage['checksum'] {
  if (sha256 !== null) return { kind: 'sha256', value: sha256 };
  return tag === 'vocoder-models' ? null : { kind: 'list', url: `${RELEASES}/${tag}/checksum.txt` };
}

/** Of the folder that espeak-ng reads; the library ends the process without them. */
const ESPEAK_FILES = ['phontab', 'phonindex', 'phondata', 'intonations'].map((name) => `espeak-ng-data/${name}`);

type WhisperEntry = Pick<Entry, 'title' | 'sizeBytes' | 'sha256'> & { knowsCantonese: boolean };

function whisper(size: string, { knowsCantonese, ...rest }: WhisperEntry): ModelPackage {
  return published({
    ...rest,
    name: `whisper-${size}`,
    purpose: 'recognizer',
    languages: knowsCantonese ? ['cantonese', 'mandarin', 'english'] : ['mandarin', 'english'],
    licence: 'MIT',
    homepage: 'https://github.com/openai/whisper',
    tag: 'asr-models',
    file: `sherpa-onnx-whisper-${size}.tar.bz2`,
    files: [`${size}-encoder.int8.onnx`, `${size}-decoder.int8.onnx`, `${size}-tokens.txt`],
  });
}

/**
 * The packages of this engine, including models that sherpa-onnx publishes for other abilities.
 * Sizes are those of the downloads.
 */
export const packages: readonly ModelPackage[] = [
  published({
    name: 'wsyue-u2pp',
    title: 'WSYue U2++ conformer CTC, int8: the best open Cantonese recognizer for its cost',
    purpose: 'recognizer',
    languages: ['cantonese'],
    licence: 'Apache-2.0',
    homepage: 'https://huggingface.co/ASLP-lab/WSYue-ASR',
    isRecommended: true,
    tag: 'asr-models',
    file: 'sherpa-onnx-wenetspeech-yue-u2pp-conformer-ctc-zh-en-cantonese-int8-2025-09-10.tar.bz2',
    sizeBytes: 117_203_117,
    sha256: '8636295785a43538a1b4620f167bcb89c10ce5ebdcee61c72a388738b783f992',
    files: ['model.int8.onnx', 'tokens.txt'],
  }),
  published({
    name: 'sense-voice-yue-2025',
    title: 'SenseVoice small tuned on Cantonese (WSYue), int8: no punctuation of its own',
    purpose: 'recognizer',
    languages: ['cantonese', 'mandarin', 'english'],
    licence: 'Apache-2.0 AND LicenseRef-FunASR-Model-1.1',
    homepage: 'https://huggingface.co/ASLP-lab/WSYue-ASR',
    tag: 'asr-models',
    file: 'sherpa-onnx-sense-voice-zh-en-ja-ko-yue-int8-2025-09-09.tar.bz2',
    sizeBytes: 165_783_878,
    sha256: '7305f7905bfcf77fa0b39388a313f3da35c68d971661a65475b56fb2162c8e63',
    files: ['model.int8.onnx', 'tokens.txt'],
  }),
  published({
    name: 'sense-voice-2024',
    title: 'SenseVoice small, int8: five languages, with punctuation and numbers',
    purpose: 'recognizer',
    languages: ['cantonese', 'mandarin', 'english'],
    licence: 'LicenseRef-FunASR-Model-1.1',
    homepage: 'https://github.com/FunAudioLLM/SenseVoice',
    tag: 'asr-models',
    file: 'sherpa-onnx-sense-voice-zh-en-ja-ko-yue-int8-2024-07-17.tar.bz2',
    sizeBytes: 163_002_883,
    sha256: '7d1efa2138a65b0b488df37f8b89e3d91a60676e416f515b952358d83dfd347e',
    files: ['model.int8.onnx', 'tokens.txt'],
  }),
  whisper('tiny', { title: 'Whisper tiny, int8', sizeBytes: 116 * MB, sha256: null, knowsCantonese: false }),
  whisper('base', {
    title: 'Whisper base, int8',
    sizeBytes: 208 * MB,
    sha256: '911b2083efd7c0dca2ac3b358b75222660dc09fb716d64fbfc417ba6c99ff3de',
    knowsCantonese: false,
  }),
  whisper('small', {
    title: 'Whisper small, int8',
    sizeBytes: 639 * MB,
    sha256: '486a46afbb7ba798507190ffe02fea2dd726049af212e774537efac6afb210a6',
    knowsCantonese: false,
  }),
  whisper('medium', {
    title: 'Whisper medium, int8',
    sizeBytes: 1_931 * MB,
    sha256: '614b1172557049069d846c29d9399640bce83a4dd6c580decebd9ce2a4f32c33',
    knowsCantonese: false,
  }),
  whisper('large-v3', {
    title: 'Whisper large v3, int8: slow without many cores',
    sizeBytes: 1_070 * MB,
    sha256: '2d0e134b3b5fc4a0533baf24a0c9d473b629aa47f030af0a165a05f461df7a03',
    knowsCantonese: true,
  }),
  whisper('turbo', {
    title: 'Whisper large v3 turbo, int8',
    sizeBytes: 563_790_207,
    sha256: 'b11acbbcd660b44a8e0df33724feb5aaa709cf65668f2823d59f656312544f22',
    knowsCantonese: true,
  }),
  published({
    name: 'zipformer-cantonese',
    title: 'Zipformer transducer trained on MDCC, int8: takes the words of a context as hotwords',
    purpose: 'recognizer',
    languages: ['cantonese'],
    licence: 'Apache-2.0',
    homepage: 'https://huggingface.co/zrjin/icefall-asr-mdcc-zipformer-2024-03-11',
    tag: 'asr-models',
    file: 'sherpa-onnx-zipformer-cantonese-2024-03-13.tar.bz2',
    sizeBytes: 330 * MB,
    sha256: null,
    files: [
      'encoder-epoch-45-avg-35.int8.onnx',
      'decoder-epoch-45-avg-35.onnx',
      'joiner-epoch-45-avg-35.int8.onnx',
      'tokens.txt',
    ],
  }),
  published({
    name: 'qwen3-asr-0.6b',
    title: 'Qwen3-ASR 0.6B, int8: a speech language model that reads a context as prompt; needs 2 GB of memory',
    purpose: 'recognizer',
    languages: ['cantonese', 'mandarin', 'english'],
    licence: 'Apache-2.0',
    homepage: 'https://github.com/QwenLM/Qwen3-ASR',
    tag: 'asr-models',
    file: 'sherpa-onnx-qwen3-asr-0.6B-int8-2026-03-25.tar.bz2',
    sizeBytes: 838 * MIB,
    sha256: '393f8a14e2f5fb96746aaab342997a40641001fbd5bf9592a080a8329178ee96',
    files: [
      'conv_frontend.onnx',
      'encoder.int8.onnx',
      'decoder.int8.onnx',
      'tokenizer/vocab.json',
      'tokenizer/merges.txt',
      'tokenizer/tokenizer_config.json',
    ],
  }),
  published({
    name: 'paraformer-live',
    title: 'Streaming Paraformer, int8: live text of Cantonese, Mandarin and English, without times',
    purpose: 'live-recognizer',
    languages: ['cantonese', 'mandarin', 'english'],
    // The publisher states none for this one.
    licence: 'NOASSERTION',
    homepage:
      'https://modelscope.cn/models/dengcunqin/speech_paraformer-large_asr_nat-zh-cantonese-en-16k-vocab8501-online',
    tag: 'asr-models',
    file: 'sherpa-onnx-streaming-paraformer-trilingual-zh-cantonese-en.tar.bz2',
    sizeBytes: 999 * MB,
    sha256: null,
    files: ['encoder.int8.onnx', 'decoder.int8.onnx', 'tokens.txt'],
  }),
  published({
    name: 'zipformer-live-mandarin',
    title: 'Streaming Zipformer, int8: live text of Mandarin, with times',
    purpose: 'live-recognizer',
    languages: ['mandarin'],
    // Stated neither for the converted model nor, as far as it can be read, for the original.
    licence: 'NOASSERTION',
    homepage: 'https://huggingface.co/yuekai/icefall-asr-multi-zh-hans-zipformer-large',
    tag: 'asr-models',
    file: 'sherpa-onnx-streaming-zipformer-zh-int8-2025-06-30.tar.bz2',
    sizeBytes: 132_634_597,
    sha256: null,
    files: ['encoder.int8.onnx', 'decoder.onnx', 'joiner.int8.onnx', 'tokens.txt'],
  }),
  published({
    name: 'zipformer-live-english',
    title: 'Streaming Zipformer, int8: live text of English, with times',
    purpose: 'live-recognizer',
    languages: ['english'],
    licence: 'Apache-2.0',
    homepage: 'https://huggingface.co/Zengwei/icefall-asr-librispeech-streaming-zipformer-2023-05-17',
    tag: 'asr-models',
    file: 'sherpa-onnx-streaming-zipformer-en-2023-06-26.tar.bz2',
    sizeBytes: 310 * MB,
    sha256: null,
    files: [
      'encoder-epoch-99-avg-1-chunk-16-left-128.int8.onnx',
      'decoder-epoch-99-avg-1-chunk-16-left-128.onnx',
      'joiner-epoch-99-avg-1-chunk-16-left-128.int8.onnx',
      'tokens.txt',
    ],
  }),
  published({
    name: 'ct-transformer-punctuation',
    title: 'CT-Transformer, int8: punctuation for models that write none',
    purpose: 'punctuation',
    languages: ['cantonese', 'mandarin', 'english'],
    licence: 'Apache-2.0',
    homepage: 'https://modelscope.cn/models/iic/punc_ct-transformer_zh-cn-common-vocab272727-pytorch',
    tag: 'punctuation-models',
    file: 'sherpa-onnx-punct-ct-transformer-zh-en-vocab272727-2024-04-12-int8.tar.bz2',
    sizeBytes: 62 * MB,
    sha256: 'c0d5aa5f8eeb686032345e180bedf39319dc2e0556781c6264bcadba8328a6e1',
    files: ['model.int8.onnx'],
  }),
  published({
    name: 'pyannote-segmentation-3.0',
    title: 'pyannote speaker segmentation 3.0',
    purpose: 'speaker-segmentation',
    languages: [],
    licence: 'MIT',
    homepage: 'https://huggingface.co/pyannote/segmentation-3.0',
    tag: 'speaker-segmentation-models',
    file: 'sherpa-onnx-pyannote-segmentation-3-0.tar.bz2',
    sizeBytes: 7 * MB,
    sha256: '24615ee884c897d9d2ba09bb4d30da6bb1b15e685065962db5b02e76e4996488',
    files: ['model.onnx'],
  }),
  published({
    name: 'campplus-zh-en',
    title: 'CAM++ speaker embedding for Chinese and English, advanced (3D-Speaker)',
    purpose: 'speaker-embedding',
    languages: [],
    licence: 'Apache-2.0',
    homepage: 'https://modelscope.cn/models/iic/speech_campplus_sv_zh_en_16k-common_advanced',
    tag: 'speaker-recongition-models',
    file: '3dspeaker_speech_campplus_sv_zh_en_16k-common_advanced.onnx',
    sizeBytes: 28_281_164,
    sha256: 'aa3cfc16963a10586a9393f5035d6d6b57e98d358b347f80c2a30bf4f00ceba2',
    files: ['3dspeaker_speech_campplus_sv_zh_en_16k-common_advanced.onnx'],
  }),
  published({
    name: 'campplus-speaker',
    title: 'CAM++ speaker embedding for Chinese (3D-Speaker)',
    purpose: 'speaker-embedding',
    languages: [],
    licence: 'Apache-2.0',
    homepage: 'https://github.com/modelscope/3D-Speaker',
    tag: 'speaker-recongition-models',
    file: '3dspeaker_speech_campplus_sv_zh-cn_16k-common.onnx',
    sizeBytes: 28 * MB,
    sha256: 'f682b514c05d947ee3fa91cd6ec6c5c7543479a128373fa29b1faedccd21fd11',
    files: ['3dspeaker_speech_campplus_sv_zh-cn_16k-common.onnx'],
  }),
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
    // The data set allows no commercial use, so the model hardly does.
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
    licence: 'Apache-2.0',
    homepage: 'https://github.com/k2-fsa/icefall/tree/master/egs/ljspeech/TTS',
    tag: 'tts-models',
    file: 'matcha-icefall-en_US-ljspeech.tar.bz2',
    sizeBytes: 74 * MB,
    sha256: null,
    files: ['model-steps-3.onnx', 'tokens.txt', ...ESPEAK_FILES],
    requires: ['vocos-22khz'],
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
    sizeBytes: 53 * MB,
    sha256: null,
    files: ['vocos-22khz-univ.onnx'],
  }),
];
