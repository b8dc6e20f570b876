/**
 * A process that runs jobs. `host` names the machine and process namespace in which `pid` is valid.
 */
export type RegisteredWorker = { id: string; host: string; pid: number; heartbeatAgeMs: number };

/**
 * The living processes. Uses the database's clock, so the clocks of several machines need not
 * agree.
 */
export type WorkerRepository = {
  /** `queueClass`: the class whose recordings the worker takes; null or absent: none. */
  register(worker: { id: string; host: string; pid: number }, queueClass?: string | null): Promise<void>;
  /** The classes that the living processes take. */
  queueClasses(): Promise<string[]>;
  /** False when the worker was declared dead: its jobs were given to others. */
  heartbeat(id: string): Promise<boolean>;
  list(): Promise<RegisteredWorker[]>;
  /**
   * Declares the worker dead unless its last heartbeat is younger than `heartbeatAgeMs` (0:
   * always).
   */
  remove(id: string, heartbeatAgeMs: number): Promise<void>;
};
