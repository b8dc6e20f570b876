/**
 * NODE_OPTIONS that print a line for each package of OpenTelemetry that a process or a worker
 * process of it loads.
 */
const HOOK = `import { registerHooks } from 'node:module';
registerHooks({ resolve(name, context, next) {
  if (name.includes('@opentelemetry')) console.error('loads ' + name);
  return next(name, context);
} });`;

export const PRINT_TELEMETRY_LOADS = `--import data:text/javascript,${encodeURIComponent(HOOK)}`;
