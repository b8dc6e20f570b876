/** The sound of a video in one of the two formats that the platform keeps of each. */
export type SoundFile = {
  itag: number;
  mimeType: string;
  bytes: Buffer;
  durationMs: number;
  sampleRateHz: number;
  channels: number;
};

/** The sound of what is said. */
export async function soundOf(_says: string): Promise<readonly SoundFile[]> {
  return [];
}
