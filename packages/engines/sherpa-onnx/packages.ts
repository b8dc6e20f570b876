import type { ModelPackage } from '@jyutsing/contracts/model-package';

const RELEASES = 'https://github.com/k2-fsa/sherpa-onnx/releases/download';
const MB = 1_000_000;

type ReleaseTag =
  'asr-models' | 'punctuation-models' | 'speaker-recongition-models' | 'speaker-segmentation-models' | 'tts-models';

/** The differing properties of packages; URL and checksum follow from their release. */
type Entry = Omit<ModelPackage, 'url' | 'archive' | 'checksum'> & { tag: ReleaseTag; file: string };

/** The only release without published checksums. */
const WITHOUT_CHECKSUMS: ReleaseTag = 'speaker-segmentation-models';

function published({ tag, file, ...rest }: Entry): ModelPackage {
  return {
    ...rest,
    url: `${RELEASES}/${tag}/${file}`,
    archive: file.endsWith('.tar.bz2') ? 'tar.bz2' : 'none',
    checksum: tag === WITHOUT_CHECKSUMS ? null : { kind: 'list', url: `${RELEASES}/${tag}/checksum.txt` },
  };
}

function whisper(size: string, title: string, sizeBytes: number, knowsCantonese: boolean): ModelPackage {
  return published({
    name: `whisper-${size}`,
    title,
    purpose: 'recognizer',
    languages: knowsCantonese ? ['cantonese', 'mandarin', 'english'] : ['mandarin', 'english'],
    licence: 'MIT',
    homepage: 'https://github.com/openai/whisper',
    tag: 'asr-models',
    file: `sherpa-onnx-whisper-${size}.tar.bz2`,
    sizeBytes,
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
    tag: 'asr-models',
    file: 'sherpa-onnx-wenetspeech-yue-u2pp-conformer-ctc-zh-en-cantonese-int8-2025-09-10.tar.bz2',
    sizeBytes: 110 * MB,
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
    sizeBytes: 165 * MB,
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
    sizeBytes: 165 * MB,
    files: ['model.int8.onnx', 'tokens.txt'],
  }),
  whisper('tiny', 'Whisper tiny, int8', 116 * MB, false),
  whisper('base', 'Whisper base, int8', 208 * MB, false),
  whisper('small', 'Whisper small, int8', 639 * MB, false),
  whisper('medium', 'Whisper medium, int8', 1_931 * MB, false),
  whisper('large-v3', 'Whisper large v3, int8: slow without many cores', 1_070 * MB, true),
  whisper('turbo', 'Whisper large v3 turbo, int8', 564 * MB, true),
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
    sizeBytes: 840 * MB,
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
    name: 'ct-transformer-punctuation',
    title: 'CT-Transformer, int8: punctuation for models that write none',
    purpose: 'punctuation',
    languages: ['cantonese', 'mandarin', 'english'],
    licence: 'Apache-2.0',
    homepage: 'https://modelscope.cn/models/iic/punc_ct-transformer_zh-cn-common-vocab272727-pytorch',
    tag: 'punctuation-models',
    file: 'sherpa-onnx-punct-ct-transformer-zh-en-vocab272727-2024-04-12-int8.tar.bz2',
    sizeBytes: 62 * MB,
    files: ['model.int8.onnx'],
  }),
  published({
    name: 'silero-vad',
    title: 'Silero voice activity detection',
    purpose: 'voice-activity',
    languages: [],
    licence: 'MIT',
    homepage: 'https://github.com/snakers4/silero-vad',
    tag: 'asr-models',
    file: 'silero_vad.onnx',
    sizeBytes: 0.644 * MB,
    files: ['silero_vad.onnx'],
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
    files: ['model.onnx'],
  }),
  published({
    name: 'campplus-speaker',
    title: 'CAM++ speaker embedding (3D-Speaker)',
    purpose: 'speaker-embedding',
    languages: [],
    licence: 'Apache-2.0',
    homepage: 'https://github.com/modelscope/3D-Speaker',
    tag: 'speaker-recongition-models',
    file: '3dspeaker_speech_campplus_sv_zh-cn_16k-common.onnx',
    sizeBytes: 28 * MB,
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
    sizeBytes: 108 * MB,
    files: ['vits-cantonese-hf-xiaomaiiwn.onnx', 'lexicon.txt', 'tokens.txt'],
  }),
];
