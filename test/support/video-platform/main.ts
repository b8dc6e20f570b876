// `npm run dev:youtube [port]`: the stand-in for the video platform, to try the service by hand.
import { VIDEOS } from './catalogue.ts';
import { startVideoPlatform } from './server.ts';
import type { Video } from './videos.ts';

const DEFAULT_PORT = 8_090;

const asked = process.argv[2];
const port = asked === undefined ? DEFAULT_PORT : Number(asked);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error('Give a port between 0 and 65535, or none for 8090.');
  process.exit(1);
}

const platform = await startVideoPlatform({ port }).catch((error: NodeJS.ErrnoException) => {
  console.error(error.code === 'EADDRINUSE' ? `Port ${port} is in use; give another one.` : error.message);
  process.exit(1);
});

const videos = Object.entries<Video>(VIDEOS);
const nameWidth = Math.max(...videos.map(([name]) => name.length));
const expectsWidth = Math.max(...videos.map(([, { expects }]) => expects.length));
for (const [name, { id, expects, does }] of videos) {
  console.log(`${id}  ${name.padEnd(nameWidth)}  ${expects.padEnd(expectsWidth)}  ${does}`);
}
console.log(`
A stand-in for the video platform listens on ${platform.baseUrl}. Start the service with it:
  YOUTUBE_BASE_URL=${platform.baseUrl} npm start
and ask it about one of the videos above:
  curl http://127.0.0.1:8080/api/video-summary/summarize-from-url -H "x-api-key: $API_KEY" -H 'content-type: application/json' -d '{"url":"https://youtu.be/${VIDEOS.cantoneseTalk.id}"}'
Without the service: a page of a video, with the links of its captions in it:
  curl '${platform.baseUrl}/watch?v=${VIDEOS.englishTalk.id}'
`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void platform.close().then(() => process.exit(0)));
}
