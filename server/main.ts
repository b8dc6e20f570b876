import { serve } from './serve.ts';

// The argument is that of cli/local-service.ts.
await serve({ isForOneCommand: process.argv.includes('--for-one-command') });
