#!/bin/sh
# Guess: soundfile (libsndfile) reads a MIDI Sample Dump that it wrote itself back with every sample.
# Seen with soundfile 0.14.0 (PyPI, libsndfile 1.2.2): the samples of the last packet, up to 39 of 40 at 16 bits, come
# back as zeros, without an error: of 119 samples 39, of 8,137 samples 17; of 120, three whole packets, none. The file
# is right: FFmpeg 9.0.2 of imageio-ffmpeg 0.8.1 (PyPI) gives all. A loop from such a file has a click at its end.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet soundfile==0.14.0 numpy==2.4.6 imageio-ffmpeg==0.8.1
cat > try.py <<'END'
import subprocess

import imageio_ffmpeg
import numpy
import soundfile

print(soundfile.__libsndfile_version__)
for length in (119, 120, 8_137):
    soundfile.write('tone.sds', numpy.full(length, 0.5), 8_000, format='SDS', subtype='PCM_16')
    read, _ = soundfile.read('tone.sds')
    command = [imageio_ffmpeg.get_ffmpeg_exe(), '-v', 'error', '-i', 'tone.sds', '-f', 's16le', '-']
    decoded = numpy.frombuffer(subprocess.run(command, capture_output=True, check=True).stdout, '<i2')[:length]
    print(f'{length} samples: soundfile gives {len(read)}, {(read == 0).sum()} of them zero; FFmpeg {(decoded == 0).sum()}')
END
python/bin/python try.py > seen
cat seen
printf '%s\n' 1.2.2 '119 samples: soundfile gives 119, 39 of them zero; FFmpeg 0' \
  '120 samples: soundfile gives 120, 0 of them zero; FFmpeg 0' '8137 samples: soundfile gives 8137, 17 of them zero; FFmpeg 0' > expected
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
