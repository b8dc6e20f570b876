import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plan } from '@jyutsing/contracts/accounts';
import { VARIABLE_GROUPS } from '#server/config/variables.ts';
import { SHIPPED_PLANS } from '#server/features/accounts/plans.ts';

const PAGE = join(import.meta.dirname, '../docs/configuration.md');

/** docs/configuration.md: every variable with type, default and meaning, and the plans. */
export function configurationPage(): string {
  const groups = VARIABLE_GROUPS.flatMap(({ title, variables }) => [
    `## ${title}`,
    '',
    ...Object.entries(variables).map(([name, schema]) => {
      const { type, default: shown, description } = schema.meta() ?? {};
      const fallback = String(shown ?? showValue(schema.parse(undefined))) || 'none';
      return `- \`${name}\` (${shortType(String(type))}; ${fallback}): ${description ?? ''}`;
    }),
    '',
  ]);
  return [
    '# Configuration',
    '',
    'This page lists every setting: an environment variable with, in brackets, what it must be and its default; an empty one counts as',
    'absent. A switch is true, false, 1 or 0; an address begins with http or https. The process exits with the names of all variables that',
    'have a bad value, and warns of misspelt ones. `npm run docs` generates this page from the variables.',
    '',
    ...groups,
    ...plansSection(Object.values(SHIPPED_PLANS)),
  ].join('\n');
}

function plansSection(plans: readonly Plan[]): string[] {
  const [first] = plans;
  const example = { team: { ...first, name: undefined } };
  return [
    '## Plans',
    '',
    'A plan is a set of limits; every account has one. Quotas renew each month on the day on which the account was created (UTC); rates are',
    'per minute and account. Reading results counts as a poll, everything else as a request; streams are streaming speech. The shipped plans:',
    '',
    '| plan | speech-to-text (s) | speech (characters) | videos | requests | polls | streams | kept recordings | stored text |',
    '|---|---|---|---|---|---|---|---|---|',
    ...plans.map(({ name, quotas, requestsPerMinute, pollsPerMinute, streamingTts, keptAudioMb, storedTextMb }) => {
      const megabytes = [keptAudioMb, storedTextMb].map((limit) => (limit === null ? 'unlimited' : `${limit} MB`));
      const limits = [quotas.stt_seconds, quotas.tts_characters, quotas.video_summaries];
      const cells = [...limits.map((limit) => limit ?? 'unlimited'), requestsPerMinute, pollsPerMinute];
      return `| \`${name}\` | ${cells.join(' | ')} | ${streamingTts ? 'yes' : 'no'} | ${megabytes.join(' | ')} |`;
    }),
    '',
    'A plan also limits how many requests of an account may run at a time (`concurrent`), in all processes that share a database. One more is 429',
    '`concurrency_exceeded`; `/api/usage` shows how many run. Beyond that, accounts take turns in speech, scoring, voice samples and',
    'transcription, so that none waits for all the work of another.',
    '',
    '| plan | speech | scores | calls that wait for a transcription | streams of progress events | live transcriptions |',
    '|---|---|---|---|---|---|',
    ...plans.map(({ name, concurrent: { speech, scores, waits, eventStreams, live } }) => {
      const cells = [speech, scores, waits, eventStreams, live].map((limit) => limit ?? 'unlimited');
      return `| \`${name}\` | ${cells.join(' | ')} |`;
    }),
    '',
    '`keptAudioMb` limits the megabytes (10^6 bytes) of recordings that `keep_audio` keeps. One that does not fit is refused with 429',
    '`storage_exceeded`, also where `KEEP_AUDIO` asks for it; deleting records makes room.',
    '',
    '`storedTextMb` limits the megabytes of text in transcripts, their corrections and corpora of an account (an hour of speech has',
    'about one, and each record a kilobyte more). What would add text is then refused with 429 `storage_exceeded`: recordings, also copies',
    'that cost no quota, corrections and corpora that get longer. A transcription that is not done counts what its recording is expected to',
    'have, at least 0.1 MB. Accepted work is always done, so an account may store more than its limit: with copies that join a running',
    'recording, which declares less sound than it has, up to about ten times as much. The command line of the server itself is not limited.',
    '',
    '`PLANS_FILE` names a JSON file with more plans, or with other limits for these. Each plan states every field except `concurrent`,',
    '`keptAudioMb` and `storedTextMb`, which may be absent; `null`, and what is absent, is unlimited. A plan that accounts still have must not be left out.',
    'The owner of a new server gets the plan with the most requests per minute.',
    '',
    '```json',
    JSON.stringify(example, null, 2),
    '```',
    '',
  ];
}

/** Describes a range, a list or a switch in fewer words than the message of a failed start. */
function shortType(type: string): string {
  return type
    .replace('true, false, 1 or 0', 'switch')
    .replace(/^a whole number (?:from|of at least) (\d+)(?: to (\d+))?$/, (_, least: string, most?: string) =>
      most === undefined ? `whole, ≥ ${least}` : `whole, ${least}–${most}`,
    )
    .replace(/^a number above 0(?:, at most (\d+))?$/, (_, most?: string) =>
      most === undefined ? '> 0' : `> 0, ≤ ${most}`,
    )
    .replace(/^one of /, '')
    .replace('an http or https address', 'address');
}

function showValue(value: unknown): string {
  if (value === null || value === undefined) return 'absent';
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([key, number]) => `${key}=${String(number)}`)
    .join(',');
}

if (import.meta.main) writeFileSync(PAGE, configurationPage());
