#!/bin/sh
# Guess: chapters that FFmpeg writes into Ogg begin where they did, to the millisecond, for Opus, Vorbis and
# FLAC alike, since all three keep them as comments (`CHAPTER000=00:00:02.501`).
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2: in Opus a chapter at 2.501 s is written as
# 00:00:03.501, and each whose milliseconds are 500 or more is a second late so: the seconds are
# rounded, and the milliseconds added. Vorbis and FLAC, in Ogg or alone, lose the chapters without a
# message, and the exit status is 0. Matroska keeps the time. mutagen 1.48.1 (PyPI) shows the comments.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1 mutagen==1.48.1
ffmpeg=$(python/bin/python -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())')
for chapter in 2499:2500 2501:59699 59700:90000; do
  printf '[CHAPTER]\nTIMEBASE=1/1000\nSTART=%s\nEND=%s\ntitle=part\n' "${chapter%:*}" "${chapter#*:}"
done | sed '1i;FFMETADATA1' > chapters.txt
write() {
  "$ffmpeg" -v warning -f lavfi -i sine=f=440:d=100:r=48000 -i chapters.txt -map 0:a -map_chapters 1 -c:a "$1" "$2" 2> "$2.txt"
}
write libopus opus.ogg
write libvorbis vorbis.ogg
write flac flac.ogg
write flac alone.flac
write libopus opus.mka
comments() { python/bin/python -c "
import mutagen
print(*(value for key, value in mutagen.File('$1').tags if key.startswith('CHAPTER') and key[-1].isdigit()))"; }
opus=$(comments opus.ogg)
others="$(comments vorbis.ogg)$(comments flac.ogg)$(comments alone.flac)"
matroska=$("$ffmpeg" -v error -i opus.mka -f ffmetadata - | sed -n 's/^START=\([0-9]*\)000000$/\1/p' | tr '\n' ' ')
echo "chapters at 2.499, 2.501 and 59.700 s in Opus: $opus"
echo "in Vorbis and FLAC: ${others:-none}; in Matroska, milliseconds: $matroska"
[ "$opus" = '00:00:02.499 00:00:03.501 00:01:00.700' ] || { echo 'Opus is written differently now'; exit 1; }
[ -z "$others$(cat vorbis.ogg.txt flac.ogg.txt alone.flac.txt)" ] || { echo 'Vorbis or FLAC is written differently now'; exit 1; }
[ "$matroska" = '2499 2501 59700 ' ] || { echo 'Matroska is written differently now'; exit 1; }
echo 'as described'
