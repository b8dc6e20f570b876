#!/bin/sh
# Guess: FFmpeg moves the lines of lyrics (LRC) by the tag `[offset:±N]` of the file, which players take as
# milliseconds: with 500 or -500 every line is half a second off what it is without.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2: it reads the tag, and moves the lines by as many
# microseconds: with 500 not at all, with -500 by one millisecond; with 500000 by half a second,
# earlier, as players do. Tags of real files so have no effect, and subtitles made of lyrics that were
# mended by an offset, as many of Cantopop are, are as wrong as before. Several times before one line are read.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1
ffmpeg=$(python/bin/python -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())')
seen=''
for offset in 0 500 -500 500000; do
  printf '[offset:%s]\n[00:03.50][00:09.00]副歌\n[00:05.00]再見\n' "$offset" > song.lrc
  starts=$("$ffmpeg" -v error -i song.lrc -f srt - | grep -oE '^00:00:0[0-9],[0-9]{3} -->' | cut -c 7-12 | tr '\n' ' ')
  echo "offset $offset: lines begin at $starts"
  seen="$seen$starts"
done
[ "$seen" = '03,500 05,000 09,000 03,500 05,000 09,000 03,501 05,001 09,001 03,000 04,500 08,500 ' ] ||
  { echo 'behaves differently now'; exit 1; }
echo 'as described'
