import { randomUUID } from 'node:crypto';
import { median } from '@jyutsing/numeric/statistics';
import { createRandom } from '@jyutsing/numeric/random';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionResult } from '@jyutsing/contracts/transcription';
import { indexTranscripts, searchTranscripts } from '#server/features/search/transcript-search.ts';
import { completedRecord, newRecord, type Submission } from '#server/http/transcription/new-record.ts';
import { openStore } from '#server/store/open-store.ts';
import { createLogger } from '#server/telemetry/logger.ts';
import { databasesToTest, type TestedDatabase } from '#testbed/servers/postgres.ts';
import { temporaryFolder } from '#testbed/service/service.ts';
import { medianWithSpread, type Measurement } from './report.ts';

const TRANSCRIPTS = 10_000;
const SEGMENTS = 12;
const ROUNDS = 7;
const INDEXED_AT_A_TIME = 500;
const MOST_MS = 100;
/** Words of meetings, of which each segment has some; the last ones are rare. */
const WORDS = (
  '早晨 大家 今日 會議 預算 計劃 設計 客人 老闆 同事 電郵 星期三 下個月 中環 旺角 地鐵 食飯 飲茶 天氣 香港 學校 醫生 價錢 問題 ' +
  '可以 唔該 多謝 公司 人手 宣傳 報告 網站 投影機 會議室 碼頭 遲到 安排 意見 批准 兼職 設計師 財政 統計 深水埗 觀塘 將軍澳 颱風 疫苗'
).split(' ');
const RARE = ['獅子山隧道', '立法會撥款'];
/** Characters, several words, a phrase, and jyutping with and without tones. */
const QUERIES = [
  '早晨',
  '预算',
  '下個月 預算',
  '"會議預算"',
  'zou2 san4',
  'wui6 ji5',
  'zou san',
  '獅子山隧道',
  'budget',
];

/** The time of searches in 10,000 transcripts of an account, most of which match. */
export async function measureSearch(): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const database of databasesToTest()) measurements.push(await measureSearchIn(database));
  return measurements;
}

async function measureSearchIn(database: TestedDatabase): Promise<Measurement> {
  await using folder = await temporaryFolder();
  const opened = await database.open();
  const store = await openStore({ databaseUrl: opened.databaseUrl, dataDir: folder.path });
  try {
    const services = { store, logger: createLogger('silent') };
    const account = await store.accounts.create({ name: 'search', plan: 'pro' });
    const random = createRandom(54);
    for (let index = 0; index < TRANSCRIPTS; index += 1) {
      const request = { ...newRecord(randomUUID(), submissionOf(account)), plan: null };
      await store.transcriptions.insert(completedRecord(request, resultOf(random, index)));
    }
    while ((await indexTranscripts(services, account.id, INDEXED_AT_A_TIME)) > 0);
    return await measureQueries(database.name, services, account.id);
  } finally {
    await store.close();
    await opened.close();
  }
}

async function measureQueries(
  database: TestedDatabase['name'],
  services: Parameters<typeof searchTranscripts>[0],
  accountId: string,
): Promise<Measurement> {
  const search = { where: 'any', order: 'best', tags: [], limit: 20, before: null } as const;
  const all: number[] = [];
  let slowest = { query: '', ms: 0 };
  for (const query of QUERIES) {
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const startedMs = performance.now();
      await searchTranscripts(services, accountId, { ...search, query });
      // The first search loads the dictionaries.
      if (round > 0) times.push(performance.now() - startedMs);
    }
    all.push(...times);
    const typical = median(times);
    if (typical > slowest.ms) slowest = { query, ms: typical };
  }
  return {
    label: `ms of a search in ${TRANSCRIPTS.toLocaleString('en')} transcripts (${database})`,
    value: `${medianWithSpread(all, 0)}; slowest ${slowest.query} ${slowest.ms.toFixed(0)}`,
    goal: `≤ ${MOST_MS}`,
    met: slowest.ms <= MOST_MS,
  };
}

function submissionOf(account: Submission['caller']['account']): Submission {
  return {
    caller: { account } as Submission['caller'],
    file: { path: '', name: '', sizeBytes: 1, sha256: '0'.repeat(64) },
    options: {
      language: 'cantonese',
      withTimestamp: false,
      withDiarization: false,
      context: null,
      skipFusion: true,
      corpusIds: null,
      model: null,
    },
    callbackUrl: null,
    title: null,
    callersId: null,
    idempotencyKey: null,
  };
}

function resultOf(random: () => number, index: number): TranscriptionResult {
  const wordAt = () => WORDS[Math.floor(random() * random() * WORDS.length)] ?? '';
  const segments = Array.from({ length: SEGMENTS }, (_, place): Segment => {
    const words = Array.from({ length: 6 }, wordAt);
    if (place === 0 && index % 500 === 0) words.push(RARE[(index / 500) % RARE.length] ?? '');
    if (place === 1 && index % 50 === 0) words.push('Budget');
    const text = `${words.slice(0, 3).join('')}，${words.slice(3).join('')}。`;
    return { text, startMs: place * 4_000, endMs: place * 4_000 + 3_500, words: [], speaker: null, confidence: null };
  });
  return {
    language: 'cantonese',
    backend: 'bench',
    segments,
    fusion: null,
    durationMs: SEGMENTS * 4_000,
    transcriptionSeconds: 0,
    fusionSeconds: 0,
    isCached: false,
  };
}
