import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { ConfigError } from '#server/config/config.ts';
import { loadPlans } from '#server/wiring/load-plans.ts';
import { loadVoiceAliases } from '#server/wiring/load-voice-aliases.ts';
import { planOf, plansWith, quotaUses, SHIPPED_PLANS, topPlan, type Plans } from './plans.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jyutsing-plans-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function fileWith(content: string): Promise<string> {
  const path = join(folder, 'setting.json');
  await writeFile(path, content);
  return path;
}

const TEAM = {
  quotas: { stt_seconds: 7_200, tts_characters: null, video_summaries: 0 },
  requestsPerMinute: 30,
  pollsPerMinute: 60,
  streamingTts: true,
};
const jsonOf = (changes: object) => JSON.stringify({ team: { ...TEAM, ...changes } });

function refusal(json: string): string {
  try {
    plansWith(json);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'invalid_parameter') return thrown.message;
    throw thrown;
  }
  throw new Error('the plans were accepted');
}

describe('plans of a file', () => {
  it('are added to the shipped ones, without limits that they do not have', () => {
    const plans = plansWith(jsonOf({}));
    expect(Object.keys(plans)).toEqual([...Object.keys(SHIPPED_PLANS), 'team']);
    expect(plans['team']).toEqual({
      name: 'team',
      ...TEAM,
      concurrent: { speech: null, scores: null, waits: null, eventStreams: null, live: null },
      keptAudioMb: null,
      storedTextMb: null,
    });
  });

  it('of an earlier version have no limit of live connections', () => {
    const concurrent = { speech: 2, scores: null, waits: 1, eventStreams: 4 };
    expect(plansWith(jsonOf({ concurrent }))['team']?.concurrent).toEqual({ ...concurrent, live: null });
  });

  it.each([
    ['', 'the file is not valid JSON'],
    ['{', 'the file is not valid JSON'],
    ['[]', 'Plans: : '],
    [jsonOf({ requestsPerMinute: 0 }), 'team.requestsPerMinute'],
    [jsonOf({ pollsPerMinute: 1.5 }), 'team.pollsPerMinute'],
    [jsonOf({ streamingTts: 'yes' }), 'team.streamingTts'],
    [jsonOf({ quotas: { ...TEAM.quotas, stt_seconds: -1 } }), 'team.quotas.stt_seconds'],
    [jsonOf({ quotas: { stt_seconds: 1, tts_characters: 1 } }), 'team.quotas.video_summaries'],
    // A misspelt limit would otherwise be none.
    [jsonOf({ quotas: { ...TEAM.quotas, stt_second: 1 } }), 'team.quotas'],
    [jsonOf({ requestPerMinute: 5 }), 'requestPerMinute'],
    [jsonOf({ concurrent: { speech: 0, scores: 1, waits: 1, eventStreams: 1 } }), 'team.concurrent.speech'],
    [JSON.stringify({ '': TEAM }), 'Plans: '],
    [JSON.stringify({ ['x'.repeat(65)]: TEAM }), 'Plans: '],
  ])('are refused with the place: %s', (json, place) => {
    expect(refusal(json)).toContain(place);
  });

  it('are read once at the start', async () => {
    expect(await loadPlans(null)).toBe(SHIPPED_PLANS);
    expect(Object.keys(await loadPlans(await fileWith(jsonOf({}))))).toContain('team');
    await expect(loadPlans(await fileWith('{'))).rejects.toMatchObject({ code: 'invalid_parameter' });
    const missing = loadPlans(join(folder, 'missing.json'));
    await expect(missing).rejects.toThrow(ConfigError);
    await expect(missing).rejects.toThrow(/^PLANS_FILE .*missing\.json cannot be read\.$/);
  });
});

describe('the plan of an account', () => {
  it.each(['gold', '__proto__', 'constructor', 'toString', ''])('that is not offered is refused: %j', (name) => {
    expect(() => planOf(SHIPPED_PLANS, name)).toThrow(/no longer offered/);
  });

  it('is the one of its name', () => {
    for (const name of Object.keys(SHIPPED_PLANS)) expect(planOf(SHIPPED_PLANS, name).name).toBe(name);
  });

  it('of a new owner is the one with the highest rate limit', () => {
    expect(topPlan(SHIPPED_PLANS).name).toBe('pro');
    expect(topPlan(plansWith(jsonOf({ requestsPerMinute: 10_000 }))).name).toBe('team');
    expect(() => topPlan({} as Plans)).toThrow('there is no plan');
  });

  it('has what is left of each quota', () => {
    const plan = planOf(plansWith(jsonOf({})), 'team');
    expect(quotaUses(plan, { stt_seconds: 7_000, tts_characters: 5, video_summaries: 3 })).toEqual({
      stt_seconds: { used: 7_000, limit: 7_200, remaining: 200 },
      tts_characters: { used: 5, limit: null, remaining: null },
      // A plan may become smaller after its use.
      video_summaries: { used: 3, limit: 0, remaining: 0 },
    });
  });
});

describe('the aliases of voices', () => {
  it('are none by default, or a JSON object, in place or in a file', async () => {
    expect(await loadVoiceAliases(null)).toEqual({});
    expect(await loadVoiceAliases('{"a": "b"}')).toEqual({ a: 'b' });
    expect(await loadVoiceAliases(await fileWith('{"c": "d"}'))).toEqual({ c: 'd' });
  });

  it.each(['{', '{"a": 1}', '[]', '/no/such/file', ''])(
    'are refused by the name of the variable: %j',
    async (setting) => {
      const loaded = loadVoiceAliases(setting);
      await expect(loaded).rejects.toThrow(ConfigError);
      await expect(loaded).rejects.toThrow(/^Bad configuration\. VOICE_ALIASES must be /);
    },
  );
});
