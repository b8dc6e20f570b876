/**
 * Files that a typical addition creates or edits. `<name>` stands for the name of the new thing.
 */
type Addition = { addition: string; touched: readonly string[] };

export const ADDITIONS: readonly Addition[] = [
  { addition: 'an engine', touched: ['packages/engines/<name>/<ability>.ts'] },
  {
    addition: 'an endpoint',
    touched: ['server/http/<resource>/route.ts', 'server/http/<resource>/schema.ts', 'server/http/server.ts'],
  },
  {
    addition: 'an ability that runs in a worker',
    touched: [
      'packages/contracts/<ability>.ts',
      'packages/contracts/abilities.ts',
      'packages/engines/<name>/<ability>.ts',
      'server/workers/tasks/<task>.ts',
    ],
  },
  {
    addition: 'an error code',
    touched: ['packages/contracts/errors.ts', 'docs/errors.md', 'console/i18n/en.ts', 'console/i18n/zh-hk.ts'],
  },
  {
    addition: 'a subtitle format',
    touched: [
      'server/features/transcription/format.ts',
      'server/http/transcription/transcript-file.ts',
      'server/http/transcription/record-routes.ts',
      'packages/client/transcription/job.ts',
      'cli/transcribe.ts',
      'console/screens/transcript/export.tsx',
    ],
  },
  {
    addition: 'an audio format of uploads',
    touched: ['packages/contracts/audio.ts', 'packages/audio/container.ts'],
  },
];
