#!/bin/sh
# Guess: a subtitle at ten and a half hours becomes `10:30:00.00` in ASS: the hour is written with one
# digit where one is enough, and with two where two are needed.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2: every cue from ten hours on begins and
# ends at 9:59:59.99, so that none is ever shown. The exit status is 0 and nothing is said. FFmpeg reads
# the times of two digits well, and writes SubRip and WebVTT right. pysubs2 1.8.1 (PyPI) does the same,
# but warns. The captions of a stream of a day or of a session of a parliament so lose their second part.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1 pysubs2==1.8.1
ffmpeg=$(python/bin/python -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())')
printf '1\n09:30:00,000 --> 09:30:02,000\nbefore\n\n2\n10:30:00,000 --> 10:30:02,000\nafter\n' > long.srt
"$ffmpeg" -v warning -i long.srt long.ass 2> messages.txt
python/bin/python -W ignore -c "import pysubs2; pysubs2.load('long.srt').save('pysubs2.ass')"
shown() { grep '^Dialogue' "$1" | cut -d , -f 2,3 | tr '\n' ' '; }
sed 's/9:59:59.99,9:59:59.99/10:30:00.00,10:30:02.00/' long.ass > whole.ass
read_back=$("$ffmpeg" -v error -i whole.ass -f srt - | grep '^10:30' | tr -d '\r')
echo "FFmpeg writes:  $(shown long.ass)(messages: $(wc -l < messages.txt))"
echo "pysubs2 writes: $(shown pysubs2.ass)"
echo "FFmpeg reads:   $read_back"
expected='9:30:00.00,9:30:02.00 9:59:59.99,9:59:59.99 '
[ "$(shown long.ass)" = "$expected" ] && [ ! -s messages.txt ] || { echo 'FFmpeg behaves differently now'; exit 1; }
[ "$(shown pysubs2.ass)" = "$expected" ] || { echo 'pysubs2 behaves differently now'; exit 1; }
[ "$read_back" = '10:30:00,000 --> 10:30:02,000' ] || { echo 'FFmpeg reads differently now'; exit 1; }
echo 'as described'
