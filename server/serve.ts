import { collectGarbage } from '@jyutsing/system/collect-garbage';
import { onRepeatedSignal } from '@jyutsing/system/repeated-signal';
import { loadConfig, type Config } from './config/config.ts';
import { describeDoubts } from './config/doubtful-settings.ts';
import { startService, type ServiceOptions } from './service.ts';
import { describeStartFailure } from './process/start-failure.ts';

const COLLECT_GARBAGE_AFTER_MS = 2_000;

/**
 * Starts the service from the environment, prints its address, and stops it in order on SIGTERM or
 * SIGINT, or when the launcher that started it ends. A start that fails prints one sentence and
 * ends the process with status 1.
 */
export async function serve(options: ServiceOptions = {}): Promise<void> {
  let config: Config | undefined;
  // Recordings, texts and secrets of webhooks are files of this user only.
  process.umask(0o077);
  try {
    config = loadConfig();
    for (const sentence of describeDoubts(config)) print(`jyutsing: ${sentence}`);
    await serveUntilStopped(config, options);
  } catch (thrown) {
    const sentence = describeStartFailure(thrown, config);
    print(sentence ?? `jyutsing could not start: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
    process.exit(1);
  }
}

async function serveUntilStopped(config: Config, options: ServiceOptions): Promise<void> {
  const service = await startService(config, options);
  // Before anything is printed: a reader may stop the service.
  const stop = (reason: string) => {
    print(`jyutsing: ${reason}, finishing running work`);
    void service.stop().then((isInOrder) => process.exit(isInOrder ? 0 : 1));
  };
  // A second signal ends the process at once; accepted jobs run again after the next start.
  const end = onRepeatedSignal(stop, () => process.exit(130));
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  // scripts/run.js holds a channel to this process; one that was started directly has none.
  process.once('disconnect', () => end('the launcher ended'));
  process.channel?.unref();

  const { baseUrl, newOwnerKey, hasConsole } = service;
  const pages = [...(hasConsole ? [`console: ${baseUrl}/console/`] : []), `API reference: ${baseUrl}/docs`];
  // Others answer no requests for pages.
  const shownPages = config.roles.includes('api') ? ` (${pages.join(', ')})` : '';
  print(`jyutsing listening on ${baseUrl}${shownPages}`);
  if (newOwnerKey !== null) print(`API key of the owner, shown only this once: ${newOwnerKey}`);
  if (newOwnerKey !== null && hasConsole) {
    print(`Open ${baseUrl}/console/#key=${newOwnerKey} to sign in to the console with it.`);
  }

  // The start leaves 25 MB of garbage, which would stay until there are many requests.
  setTimeout(collectGarbage, COLLECT_GARBAGE_AFTER_MS).unref();
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
