import { ConfigError, loadConfig } from './config/config.ts';
import { describeUnknownVariables } from './config/unknown-variables.ts';
import { startService } from './service.ts';
import { collectGarbage } from './workers/pool/collect-garbage.ts';

const COLLECT_GARBAGE_AFTER_MS = 2_000;

/**
 * Starts the service from the environment, prints its address, and stops it in order on SIGTERM or
 * SIGINT.
 */
async function main(): Promise<void> {
  const config = loadConfig();
  for (const sentence of describeUnknownVariables()) print(`jyutsing: ${sentence}`);
  const service = await startService(config);
  print(`jyutsing listening on ${service.baseUrl} (interface: ${service.baseUrl}/docs)`);
  if (service.newOwnerKey !== null) {
    print(`API key of the owner, shown only this once: ${service.newOwnerKey}`);
  }

  // The start leaves 25 MB of garbage, which would stay until there are many requests.
  setTimeout(collectGarbage, COLLECT_GARBAGE_AFTER_MS).unref();

  let isEnding = false;
  const end = (signal: NodeJS.Signals) => {
    // A second signal ends the process at once; accepted jobs run again after the next start.
    if (isEnding) process.exit(130);
    isEnding = true;
    print(`jyutsing: ${signal}, finishing running work`);
    service.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

main().catch((thrown: unknown) => {
  if (thrown instanceof ConfigError) print(thrown.message);
  else print(`jyutsing could not start: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
  process.exit(1);
});

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
