#!/usr/bin/env python3
"""Speaks the small bundle with the publisher's own runtime, and writes what the engine must give.

  node scripts/run.js test/support/canto-tts-nano/write-bundle.ts BUNDLE
  python3 make_golden.py --canto-tts CHECKOUT --bundle BUNDLE --out golden.json

CHECKOUT is github.com/typangaa/canto-tts at 6a69ecd (Apache-2.0); onnxruntime, numpy and
sentencepiece come from PyPI. Random numbers come from mulberry32(seed) instead of numpy's
generator, in the order in which the runtime draws them.
"""

import argparse
import json
import sys

import numpy as np

TEXTS = [
    '<o-d> <r-o> <t1> <o-z> <r-e> <t6> <o-s> <r-aai> <t3> ，',
    '<o-z> <r-ou> <t2>',
    "hello food , it ' s Ａｆｉ 3 ！",
    '<r-m> <t4> <o-h> <r-ai> <t6> <r-aa> <t5> ， the food court 多 <o-g> <r-e> <t3> ？',
    'ﬁ…　<sep>hell  \u2581o é 🙂 ;',
    '<o-gw> <r-ok> <t3> <o-ng> <r-o> <t5>',
]
FULL = {
    'text_temperature': 0.3,
    'text_top_k': 50,
    'text_top_p': 1.0,
    'audio_temperature': 0.9,
    'audio_top_k': 25,
    'audio_top_p': 0.9,
    'audio_repetition_penalty': 1.1,
}


class Mulberry32:
    def __init__(self, seed):
        self.state = seed & 0xFFFFFFFF

    def random(self):
        self.state = (self.state + 0x6D2B79F5) & 0xFFFFFFFF
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 15)) * (mixed | 1)) & 0xFFFFFFFF
        mixed ^= (mixed + (((mixed ^ (mixed >> 7)) * (mixed | 61)) & 0xFFFFFFFF)) & 0xFFFFFFFF
        return ((mixed ^ (mixed >> 14)) & 0xFFFFFFFF) / 4294967296


def pcm(sound):
    return np.round(np.clip(sound, -1, 1) * 32767).astype(int)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--canto-tts', required=True)
    parser.add_argument('--bundle', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--frames', type=int, default=24)
    options = parser.parse_args()
    sys.path.insert(0, f'{options.canto_tts}/src')
    from canto_tts.backends.base import adaptive_max_new_frames, safe_prepare_text
    from canto_tts.backends.onnx_backend import OnnxBackend

    backend = OnnxBackend(options.bundle, thread_count=1)
    runtime = backend._runtime
    codes = np.random.default_rng(1).integers(0, 64, (9, 4)).tolist()
    voices = {'default': backend._default_voice_codes, 'other': codes}
    cases = []
    for mode in ('fixed', 'full'):
        for voice_number, (voice, voice_codes) in enumerate(voices.items()):
            for text_number, text in enumerate(TEXTS):
                prepared = safe_prepare_text(text)
                tokens = backend._encoder.encode(prepared)
                runtime.manifest['generation_defaults'].update(
                    max_new_frames=options.frames, sample_mode=mode, do_sample=True, **FULL
                )
                seed = 100 * text_number + voice_number
                runtime.rng = Mulberry32(seed)
                rows = runtime.build_voice_clone_request_rows(voice_codes, tokens)
                frames = runtime.generate_audio_frames(rows)
                session = runtime.codec_streaming_session
                session.reset()
                sound = [session.run_frames([frame])[0][0] for frame in frames]
                every = pcm(np.concatenate(sound, 1).T)[::997].tolist() if frames else []
                cases.append(
                    {
                        'mode': mode,
                        'voice': voice,
                        'phonemes': text,
                        'prepared': prepared,
                        'tokens': tokens,
                        'promptRows': len(rows['inputIds']),
                        'seed': seed,
                        'limit': adaptive_max_new_frames(text),
                        'frames': frames,
                        'everyPcm': every,
                    }
                )
    golden = {
        'publisher': 'typangaa/canto-tts 6a69ecd41bb56f8cdd730bc6ed8faa7f19afd813',
        'frameLimit': options.frames,
        'full': FULL,
        'voices': voices,
        'cases': cases,
    }
    with open(options.out, 'w', encoding='utf-8') as file:
        json.dump(golden, file, ensure_ascii=False)
        file.write('\n')


if __name__ == '__main__':
    main()
