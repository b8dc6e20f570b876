"""Reads WAV files with faster-whisper, on one thread, with integer weights and beam 1.

usage: faster_whisper_cost.py MODEL LANGUAGE FILE ...

Prints the processor time in seconds, the peak memory in bytes, the version and the texts as JSON,
as hear-entry.ts does. MODEL is the folder of training/listener/prepare.
"""

import json
import resource
import sys
import time

import faster_whisper


def main():
    if len(sys.argv) < 4:
        raise SystemExit(__doc__)
    folder, language, *files = sys.argv[1:]
    model = faster_whisper.WhisperModel(folder, 'cpu', compute_type='int8', cpu_threads=1)

    def read(path):
        segments, _ = model.transcribe(path, language=language, beam_size=1)
        return ' '.join(segment.text.strip() for segment in segments)

    read(files[0])
    before = time.process_time()
    texts = [read(path) for path in files]
    print(json.dumps({
        'cpuSeconds': time.process_time() - before,
        'peakBytes': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        'texts': texts,
        'version': faster_whisper.__version__,
    }))


if __name__ == '__main__':
    main()
