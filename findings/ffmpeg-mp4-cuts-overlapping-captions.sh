#!/bin/sh
# Guess: captions that overlap in time, as those of two people who speak at once, keep their times when FFmpeg puts them
# into MP4 (`mov_text`), or a message says that the format has no room for them.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2: a caption from 1 to 4 s ends at 2 s where another
# begins, and does not come back when that ends at 3 s: half of it is not shown. Of two that begin together the
# first is not shown at all. The exit status is 0 and nothing is said. In Matroska all keep their times. The
# samples of a track of MP4 follow one another, so both texts would have to be in one for as long as both last.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1
ffmpeg=$(python/bin/python -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())')
cat > both.srt <<'END'
1
00:00:01,000 --> 00:00:04,000
long

2
00:00:02,000 --> 00:00:03,000
short

3
00:00:06,000 --> 00:00:08,000
first

4
00:00:06,000 --> 00:00:08,000
second
END
cues() { "$ffmpeg" -v error -i "$1" -f srt - | tr -d '\r' | grep -A1 -e '-->' | grep -v '^--' | paste -d ' ' - - | tr '\n' ';'; }
"$ffmpeg" -v warning -i both.srt -c:s mov_text both.mp4 2> messages.txt
"$ffmpeg" -v warning -i both.srt -c:s srt both.mkv 2>> messages.txt
echo "MP4: $(cues both.mp4)"
echo "Matroska: $(cues both.mkv)"
echo "messages: $(wc -l < messages.txt)"
[ "$(cues both.mp4)" = '00:00:01,000 --> 00:00:02,000 long;00:00:02,000 --> 00:00:03,000 short;00:00:06,000 --> 00:00:06,000 first;00:00:06,000 --> 00:00:08,000 second;' ] ||
  { echo 'behaves differently now'; exit 1; }
[ "$(cues both.mkv)" = '00:00:01,000 --> 00:00:04,000 long;00:00:02,000 --> 00:00:03,000 short;00:00:06,000 --> 00:00:08,000 first;00:00:06,000 --> 00:00:08,000 second;' ] ||
  { echo 'Matroska behaves differently now'; exit 1; }
[ ! -s messages.txt ] || { echo 'says something now'; exit 1; }
echo 'as described'
