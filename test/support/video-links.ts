/** The ID of the video in all of `VIDEO_LINKS`. */
export const LINKED_ID = 'dQw4w9WgXcQ';

/** Common forms of links to one video, some with surrounding text. */
export const VIDEO_LINKS: readonly string[] = `
dQw4w9WgXcQ
https://www.youtube.com/watch?v=dQw4w9WgXcQ
http://www.youtube.com/watch?v=dQw4w9WgXcQ
https://youtube.com/watch?v=dQw4w9WgXcQ
//youtube.com/watch?v=dQw4w9WgXcQ
youtube.com/watch?v=dQw4w9WgXcQ
www.youtube.com/watch?v=dQw4w9WgXcQ
HTTPS://WWW.YOUTUBE.COM/watch?v=dQw4w9WgXcQ
YouTube.com/watch?v=dQw4w9WgXcQ
https://m.youtube.com/watch?v=dQw4w9WgXcQ
m.youtube.com/watch?v=dQw4w9WgXcQ&app=m
https://music.youtube.com/watch?v=dQw4w9WgXcQ&si=abc
https://gaming.youtube.com/watch?v=dQw4w9WgXcQ
https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ
https://youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0
https://youtu.be/dQw4w9WgXcQ
http://youtu.be/dQw4w9WgXcQ
youtu.be/dQw4w9WgXcQ
https://www.youtu.be/dQw4w9WgXcQ
https://youtu.be/dQw4w9WgXcQ?si=ScF9g-Ke1Rk0abcd
https://youtu.be/dQw4w9WgXcQ?t=42
https://youtu.be/dQw4w9WgXcQ&feature=youtu.be
https://youtu.be/dQw4w9WgXcQ/
https://youtu.be/watch?v=dQw4w9WgXcQ
https://www.youtube.com/shorts/dQw4w9WgXcQ
https://youtube.com/shorts/dQw4w9WgXcQ?feature=share
m.youtube.com/shorts/dQw4w9WgXcQ
https://www.youtube.com/embed/dQw4w9WgXcQ
https://www.youtube.com/embed/dQw4w9WgXcQ?start=30&autoplay=1
https://www.youtube.com/live/dQw4w9WgXcQ
https://www.youtube.com/live/dQw4w9WgXcQ?si=xyz&t=1h2m3s
https://www.youtube.com/v/dQw4w9WgXcQ
https://www.youtube.com/v/dQw4w9WgXcQ?version=3
https://www.youtube.com/e/dQw4w9WgXcQ
https://www.youtube.com/watch/dQw4w9WgXcQ
https://www.youtube.com/?v=dQw4w9WgXcQ
https://www.youtube.com/watch?vi=dQw4w9WgXcQ
https://www.youtube.com/vi/dQw4w9WgXcQ
https://www.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ
https://www.youtube.com/watch?feature=player_embedded&v=dQw4w9WgXcQ
https://www.youtube.com/watch?feature=share&amp;v=dQw4w9WgXcQ
https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1h2m3s
https://www.youtube.com/watch?v=dQw4w9WgXcQ#t=42s
https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PLabcdefghijk&index=3
https://www.youtube.com/watch?list=PLabcdefghijk&v=dQw4w9WgXcQ&index=3
https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=RDdQw4w9WgXcQ&start_radio=1
https://www.youtube.com/watch?v=dQw4w9WgXcQ&ab_channel=RickAstley
https://www.youtube.com/watch?v=dQw4w9WgXcQ&pp=ygUJcmljayByb2xs
https://www.youtube.com/watch?v=dQw4w9WgXcQ%26t=5
https://www.youtube.com/watch/?v=dQw4w9WgXcQ
https://www.youtube.com//watch?v=dQw4w9WgXcQ
https://www.youtube.com:443/watch?v=dQw4w9WgXcQ
https://www.youtube.com./watch?v=dQw4w9WgXcQ
https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3DdQw4w9WgXcQ%26feature%3Dshare
https://www.youtube.com/oembed?url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3DdQw4w9WgXcQ&format=json
https://youtu.be/dQw4w9WgXcQ 好好睇，一定要睇
https://youtu.be/dQw4w9WgXcQ，好好睇
https://youtu.be/dQw4w9WgXcQ。
睇下呢條片 https://youtu.be/dQw4w9WgXcQ?si=abc 真係好正
睇下呢條片：https://www.youtube.com/watch?v=dQw4w9WgXcQ！
「https://youtu.be/dQw4w9WgXcQ」
(https://youtu.be/dQw4w9WgXcQ)
<https://youtu.be/dQw4w9WgXcQ>
"https://youtu.be/dQw4w9WgXcQ"
Check this out! youtube.com/watch?v=dQw4w9WgXcQ.
https://youtu.be/dQw4w9WgXcQ, and more
`
  .trim()
  .split('\n');

/** Texts that resemble links but name no video. */
export const OTHER_LINKS: readonly string[] = `
https://www.youtube.com/
https://www.youtube.com
https://www.youtube.com/watch
https://www.youtube.com/watch?v=
https://www.youtube.com/watch?v=dQw4w9WgXc
https://www.youtube.com/watch?v=dQw4w9WgXcQQ
https://youtu.be/dQw4w9WgXcQQ
https://youtu.be/
https://www.youtube.com/watch?v=dQw4w9WgX Q
https://www.youtube.com/playlist?list=PLabcdefghijk
https://www.youtube.com/embed/videoseries?list=PLabcdefghijk
https://www.youtube.com/@RickAstleyYT
https://www.youtube.com/channel/UCuAXFkgsw1L7xaCfnd5JJOw
https://www.youtube.com/c/RickAstley
https://www.youtube.com/results?search_query=dQw4w9WgXcQ
https://www.youtube.com/clip/UgkxAbCdEfGhIjKl
https://evil.example/watch?v=dQw4w9WgXcQ
https://notyoutube.com/watch?v=dQw4w9WgXcQ
https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ
https://youtube.com@evil.example/watch?v=dQw4w9WgXcQ
https://evil.example/?u=https://www.youtube.com/watch?v=dQw4w9WgXcQ
https://evil.example#https://youtu.be/dQw4w9WgXcQ
https://evil.youtube.com/watch?v=dQw4w9WgXcQ
https://accounts.youtube.com/watch?v=dQw4w9WgXcQ
https://youtu.be.evil.example/dQw4w9WgXcQ
https://vimeo.com/76979871
ftp://youtube.com/watch?v=dQw4w9WgXcQ
file:///etc/passwd
javascript:alert(1)
../../etc/passwd
https://www.youtube.com/watch?v=../../../et
https://www.youtube.com/watch?v=%2e%2e%2f%2e%2e%2f%2e
https://www.youtube.com/watch?v=<script>abc
dQw4w9WgXcQ extra
dQw4w9WgXc!
`
  .trim()
  .split('\n');
