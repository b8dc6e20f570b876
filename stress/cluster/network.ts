import { execFileSync } from 'node:child_process';

/** The place where the programs of one machine run. */
export type Host = {
  /** Under which the machine listens and is reached. */
  address: string;
  /** The command that starts programs in it; empty: none is needed. */
  launcher: readonly string[];
  /** Connects it to the network, or pulls its cable; null where all share one network. */
  plug: ((isIn: boolean) => void) | null;
};

/** The network of the machines. Dispose of it when their processes have ended. */
export type Network = Disposable & {
  description: string;
  /** The address at which machines reach this process. */
  ownAddress: string;
  /** The same one for the same name. */
  hostOf(name: string): Host;
};

/** All machines share the network of this process. */
export function sharedNetwork(): Network {
  const host: Host = { address: '127.0.0.1', launcher: [], plug: null };
  return {
    description: 'which share its network',
    ownAddress: host.address,
    hostOf: () => host,
    [Symbol.dispose]: () => {},
  };
}

/** A network that is hardly ever used elsewhere, and another one for a run at the same time. */
const PREFIX = `10.213.${(process.pid % 250) + 1}`;
/** At most 15 characters, like every name of an interface. */
const BRIDGE = `jyut${process.pid}`;

/**
 * A network namespace for each machine: its own address, ports and loopback, connected to this
 * process by a bridge. Null without the rights and the programs that it needs (Linux, root,
 * iproute2).
 */
export function openNamespaces(): Network | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  try {
    ip('link', 'add', BRIDGE, 'type', 'bridge');
  } catch {
    return null;
  }
  ip('address', 'add', `${PREFIX}.1/24`, 'dev', BRIDGE);
  ip('link', 'set', BRIDGE, 'up');
  const hosts = new Map<string, Host>();
  const made: { namespace: string; cable: string }[] = [];
  const add = (): Host => {
    // This process has the address before theirs.
    const index = made.length + 2;
    const [namespace, cable] = [`${BRIDGE}-${index}`, `${BRIDGE}v${index}`];
    made.push({ namespace, cable });
    const address = `${PREFIX}.${index}`;
    ip('netns', 'add', namespace);
    ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    ip('link', 'set', cable, 'master', BRIDGE, 'up');
    ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) ip('-n', namespace, 'link', 'set', device, 'up');
    return {
      address,
      launcher: ['ip', 'netns', 'exec', namespace],
      plug: (isIn) => ip('link', 'set', cable, isIn ? 'up' : 'down'),
    };
  };
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    for (const { namespace, cable } of made) {
      // Now, although a process that is just ending keeps its namespace for a while.
      ip('link', 'delete', cable);
      ip('netns', 'delete', namespace);
    }
    ip('link', 'delete', BRIDGE);
  };
  process.once('exit', close);
  return {
    description: 'each with a network namespace of its own',
    ownAddress: `${PREFIX}.1`,
    hostOf(name) {
      const host = hosts.get(name) ?? add();
      hosts.set(name, host);
      return host;
    },
    [Symbol.dispose]: close,
  };
}

function ip(...words: string[]): void {
  execFileSync('ip', words, { stdio: ['ignore', 'ignore', 'pipe'] });
}
