/** A caption track in a player response. */
type AnsweredTrack = {
  baseUrl: string;
  name?: { simpleText?: string; runs?: { text: string }[] };
  vssId: string;
  languageCode?: string;
  kind?: string;
};

/** The fields of a player response that tests read. */
type PlayerAnswer = {
  playabilityStatus: { status: string; reason?: string };
  captions?: { playerCaptionsTracklistRenderer: { captionTracks: AnsweredTrack[] } };
  streamingData?: { adaptiveFormats: { itag: number; url?: string; contentLength: string; mimeType: string }[] };
  videoDetails?: { videoId: string; title?: string; lengthSeconds: string };
};

/** Clients that the platform accepts. */
export const ANDROID = { clientName: 'ANDROID', clientVersion: '21.03.36', androidSdkVersion: 36 };
export const IOS = { clientName: 'IOS', clientVersion: '20.11.6' };
export const VISIONOS = { clientName: 'VISIONOS', clientVersion: '1.02' };
export const WEB = { clientName: 'WEB', clientVersion: '2.20261119.01.00' };

/** Sends a player request to the fake platform. */
export function askPlayer(baseUrl: string, videoId: string, client: object = ANDROID): Promise<Response> {
  return fetch(`${baseUrl}/youtubei/v1/player?prettyPrint=false`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ videoId, context: { client } }),
  });
}

/** The parsed player response. */
export async function readPlayer(baseUrl: string, videoId: string, client: object = ANDROID): Promise<PlayerAnswer> {
  return (await (await askPlayer(baseUrl, videoId, client)).json()) as PlayerAnswer;
}

/** The caption tracks of the player response. */
export async function readTracks(baseUrl: string, videoId: string, client: object = ANDROID): Promise<AnsweredTrack[]> {
  return (await readPlayer(baseUrl, videoId, client)).captions?.playerCaptionsTracklistRenderer.captionTracks ?? [];
}
