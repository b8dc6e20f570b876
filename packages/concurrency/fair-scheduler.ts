import { waitInList, type Waiting } from './wait-in-list.ts';

type WaitingCall = Waiting & { dueMs: number };
/** The calls of one account: the number of its next turn, and the waiting calls. */
type Account = { turn: number; waiting: WaitingCall[] };

/** A call that asks for a slot. */
export type SlotRequest = {
  /** The account that makes the call; accounts take turns, however many calls one of them has. */
  accountId: string;
  /** The deadline by `performance.now()`, which orders the calls of an account. */
  dueMs: number;
};

/**
 * Lets at most `limit` calls run at a time. Accounts take turns: a call of an account waits for the
 * calls that run and for at most one of each other account, so a hundred calls of one account
 * never come before the first of another. Within an account the earliest deadline starts first: in
 * order of arrival, a stream that has minutes of sound ahead would delay one that has not started.
 */
export class FairScheduler {
  /** Accounts with calls that run or wait, or whose turn is still ahead. */
  readonly #accounts = new Map<string, Account>();
  #running = 0;
  /** The turn of the call that started last; a new account begins here. */
  #presentTurn = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Waits until fewer than `limit` calls run; returns a function that must be called once, when the
   * call has ended. An aborted signal throws its reason.
   */
  async acquire({ accountId, dueMs }: SlotRequest, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const account = this.#accounts.get(accountId) ?? { turn: 0, waiting: [] };
    this.#accounts.set(accountId, account);
    if (account.waiting.length === 0) account.turn = Math.max(account.turn, this.#presentTurn);
    if (this.#running >= this.#limit) {
      await waitInList(account.waiting, { dueMs }, signal);
    } else {
      this.#running += 1;
      this.#count(account);
    }
    return () => this.#release();
  }

  /** Passes the slot directly to the next call, so that a new caller cannot take it in between. */
  #release(): void {
    const account = this.#next();
    const call = account === null ? null : takeFirst(account.waiting);
    if (account === null || call === null) {
      this.#running -= 1;
      this.#forget();
      return;
    }
    this.#count(account);
    call.start();
  }

  /** The account whose turn it is; of equal turns, the one with the earliest deadline. */
  #next(): Account | null {
    let next: Account | null = null;
    for (const [id, account] of this.#accounts) {
      if (account.waiting.length === 0) {
        // It would begin at the present turn again.
        if (account.turn <= this.#presentTurn) this.#accounts.delete(id);
        continue;
      }
      const isBefore =
        next === null ||
        account.turn < next.turn ||
        (account.turn === next.turn && firstDueMs(account.waiting) < firstDueMs(next.waiting));
      if (isBefore) next = account;
    }
    return next;
  }

  #count(account: Account): void {
    this.#presentTurn = Math.max(this.#presentTurn, account.turn);
    account.turn += 1;
  }

  /** Without running calls nothing waits, so everybody begins anew. */
  #forget(): void {
    if (this.#running > 0) return;
    this.#accounts.clear();
    this.#presentTurn = 0;
  }
}

function firstDueMs(waiting: readonly WaitingCall[]): number {
  return waiting.reduce((first, { dueMs }) => Math.min(first, dueMs), Infinity);
}

function takeFirst(waiting: WaitingCall[]): WaitingCall | null {
  const dueMs = firstDueMs(waiting);
  const index = waiting.findIndex((call) => call.dueMs === dueMs);
  return waiting.splice(index, 1)[0] ?? null;
}
