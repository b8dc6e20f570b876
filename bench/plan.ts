import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes a plans file whose plan "pro" has no limit that a measurement reaches; returns its path.
 */
export async function generousPlan(folder: string): Promise<string> {
  const path = join(folder, 'plans.json');
  const quotas = { stt_seconds: null, tts_characters: null, video_summaries: null };
  const plan = { quotas, requestsPerMinute: 1_000_000, pollsPerMinute: 10_000_000, streamingTts: true };
  await writeFile(path, JSON.stringify({ pro: plan }));
  return path;
}
