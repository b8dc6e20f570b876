import { ConfigError, loadConfig } from './config/config.ts';
import { startService } from './service.ts';

/** Starts the service from the environment, says where it listens, and ends it in order on SIGTERM or SIGINT. */
async function main(): Promise<void> {
  const service = await startService(loadConfig());
  say(`jyutsing listening on ${service.baseUrl} (interface: ${service.baseUrl}/docs)`);
  if (service.newOwnerKey !== null) {
    say(`API key of the owner, shown only this once: ${service.newOwnerKey}`);
  }

  let ending = false;
  const end = (signal: NodeJS.Signals) => {
    // A second signal means that somebody does not want to wait: what was accepted runs again after the next start.
    if (ending) process.exit(130);
    ending = true;
    say(`jyutsing: ${signal}, finishing what runs`);
    service.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

main().catch((thrown: unknown) => {
  if (thrown instanceof ConfigError) say(thrown.message);
  else say(`jyutsing could not start: ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
  process.exit(1);
});

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
