import type { ModelPackage } from '@jyutsing/contracts/model-package';

/** Revision of the publisher's repository; its address must not change with a later upload. */
const REVISION = 'fe17418a293d9be85685ddf750b0cfef9c88abb4';
export const MODEL_NAME = 'canto-tts-nano';
/** Name of the file that says where all others are. */
export const MANIFEST = 'browser_poc_manifest.json';
const SPEECH = 'MOSS-TTS-Nano-cantophon-ONNX';
const CODEC = 'MOSS-Audio-Tokenizer-Nano-ONNX';

/**
 * Only what the engine reads: not `local_decoder` and `decode_full`, which it never runs. The
 * digests are those of the unmodified codec and tokenizer of OpenMOSS; of the other files none is
 * published, so those of the first pull are kept.
 */
export const packages: readonly ModelPackage[] = [
  {
    name: MODEL_NAME,
    title: 'canto-tts-nano: Cantonese in the voice of 3 to 15 s of a person; never run on its real weights by us',
    purpose: 'synthesizer',
    languages: ['cantonese'],
    licence: 'Apache-2.0',
    homepage: 'https://huggingface.co/typangaa/canto-tts-nano',
    url: `https://huggingface.co/typangaa/canto-tts-nano/resolve/${REVISION}/`,
    archive: 'folder',
    sizeBytes: 762_600_000,
    files: [
      MANIFEST,
      'tokenizer.model',
      'added_tokens.json',
      `${SPEECH}/tts_browser_onnx_meta.json`,
      `${SPEECH}/moss_tts_prefill.onnx`,
      `${SPEECH}/moss_tts_decode_step.onnx`,
      `${SPEECH}/moss_tts_global_shared.data`,
      `${SPEECH}/moss_tts_local_cached_step.onnx`,
      `${SPEECH}/moss_tts_local_fixed_sampled_frame.onnx`,
      `${SPEECH}/moss_tts_local_shared.data`,
      `${CODEC}/codec_browser_onnx_meta.json`,
      `${CODEC}/moss_audio_tokenizer_decode_step.onnx`,
      `${CODEC}/moss_audio_tokenizer_decode_shared.data`,
      `${CODEC}/moss_audio_tokenizer_encode.onnx`,
      `${CODEC}/moss_audio_tokenizer_encode.data`,
    ],
    checksum: {
      kind: 'files',
      values: {
        'tokenizer.model': 'c353ee1479b536bf414c1b247f5542b6607fb8ae91320e5af1781fee200fddff',
        [`${CODEC}/codec_browser_onnx_meta.json`]: '3e291c883bb7d11ff2fe8e964e3e495519760358859f35c951254c7741592731',
        [`${CODEC}/moss_audio_tokenizer_decode_step.onnx`]:
          '9527c86a29e1837edec1f74db57d5eeaadb3a715af3382703566460afed25855',
        [`${CODEC}/moss_audio_tokenizer_decode_shared.data`]:
          'e69d52e0f4e84ca27850557ee54face46632d3a5a16c89bd246c7c408466dcad',
        [`${CODEC}/moss_audio_tokenizer_encode.onnx`]:
          'eadea4a645abdcf98714c7aead122ee2ce7da6e080f9f80b977cd1ca8e19473a',
        [`${CODEC}/moss_audio_tokenizer_encode.data`]:
          'aa751265b2bab2887eac224484546b194875aa7494b607115439b3dc6b228a2c',
      },
    },
  },
];
