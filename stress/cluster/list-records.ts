import { request } from '#testbed/service/service.ts';

export type Listed = {
  request_id: string;
  created_at: string;
  finished_at?: string;
  processing_time?: number;
  credits_used?: number;
};

const PAGE = 100;

/** All transcriptions of an account, the newest first. */
export async function listRecords(baseUrl: string, key: string): Promise<Listed[]> {
  const listed: Listed[] = [];
  for (;;) {
    const before = listed.at(-1)?.request_id;
    const query = `limit=${PAGE}${before === undefined ? '' : `&before=${before}`}`;
    const { body } = await request(`${baseUrl}/api/speech-to-text?${query}`, { headers: { 'x-api-key': key } });
    listed.push(...(body['transcriptions'] as Listed[]));
    if (body['has_more'] !== true) return listed;
  }
}
