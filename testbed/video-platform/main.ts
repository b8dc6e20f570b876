// `npm run dev:youtube [port]`: starts a fake video platform for manual tests of the service.
import { VIDEOS } from './catalogue.ts';
import { startVideoPlatform } from './server.ts';
import type { Video } from './videos.ts';

const DEFAULT_PORT = 8_090;

const argument = process.argv[2];
const port = argument === undefined ? DEFAULT_PORT : Number(argument);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error('The port must be between 0 and 65535; the default is 8090.');
  process.exit(1);
}

const platform = await startVideoPlatform({ port }).catch((error: NodeJS.ErrnoException) => {
  console.error(error.code === 'EADDRINUSE' ? `Port ${port} is in use; choose another one.` : error.message);
  process.exit(1);
});

// The signals are handled before anything is printed, as a reader of the output may stop the
// program.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void platform.close().then(() => process.exit(0)));
}

const videos = Object.entries<Video>(VIDEOS);
const nameWidth = Math.max(...videos.map(([name]) => name.length));
const expectsWidth = Math.max(...videos.map(([, { expects }]) => expects.length));
for (const [name, { id, expects, does }] of videos) {
  console.log(`${id}  ${name.padEnd(nameWidth)}  ${expects.padEnd(expectsWidth)}  ${does}`);
}
console.log(`
A fake video platform is running at ${platform.baseUrl}. Start the service with it:
  YOUTUBE_BASE_URL=${platform.baseUrl} npm start
and summarize one of the videos above:
  curl http://127.0.0.1:8080/api/video-summary/summarize-from-url -H "x-api-key: $API_KEY" -H 'content-type: application/json' -d '{"url":"https://youtu.be/${VIDEOS.cantoneseTalk.id}"}'
Without the service: the page of a video, which contains its caption links:
  curl '${platform.baseUrl}/watch?v=${VIDEOS.englishTalk.id}'
`);
