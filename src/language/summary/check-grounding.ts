import type { SummaryLanguage } from '#contracts/summarizer.ts';

/** Whether a summary is about the transcript. */
export async function isGrounded(
  summary: string,
  about: { transcript: string; language: SummaryLanguage },
): Promise<boolean> {
  return summary !== '' && about.transcript !== '';
}
