import { serve } from '#server/serve.ts';

// The service with the engines of a test.
await serve({ enginesDir: process.env['TEST_ENGINES_DIR'] });
