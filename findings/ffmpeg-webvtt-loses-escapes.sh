#!/bin/sh
# Guess: WebVTT that FFmpeg reads and writes as WebVTT again still says the same: characters of markup
# that the file has as `&lt;` and `&amp;` are escaped in what is written too.
# Seen with imageio-ffmpeg 0.8.1 (PyPI), which brings FFmpeg 9.0.2: the entities are decoded and written
# bare, without a message. "&lt;v Mei&gt; says" becomes `<v Mei> says`, which players take for the name of
# a speaker and do not show; "&amp;amp;" becomes `&amp;`, one step less at every pass; a `&nbsp;` becomes
# a backslash and an h, to be read on the screen. The converter goes through ASS, which has no entities
# and writes that space so. Cutting a video with its captions is such a pass, unless they are copied.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet imageio-ffmpeg==0.8.1
ffmpeg=$(python/bin/python -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())')
printf 'WEBVTT\n\n00:01.000 --> 00:02.000\n%s\n' '&lt;v Mei&gt; says 6&nbsp;kg &amp;amp;' > captions.vtt
converted=$("$ffmpeg" -v error -i captions.vtt -f webvtt - | sed -n 4p)
copied=$("$ffmpeg" -v error -i captions.vtt -c copy -f webvtt - | sed -n 4p)
echo "in the file: $(sed -n 4p captions.vtt)"
echo "converted:   $converted"
echo "copied:      $copied"
[ "$converted" = '<v Mei> says 6\hkg &amp;' ] || { echo 'converts differently now'; exit 1; }
[ "$copied" = "$(sed -n 4p captions.vtt)" ] || { echo 'copies differently now'; exit 1; }
echo 'as described'
