type Closable = { close(): Promise<void> };

/**
 * Returns a function that opens one thing for each key, for all who use it at a time: models are
 * large, and several engines need them. It is closed by its last user; a failure is not kept.
 */
export function shareOpened<Opened extends Closable>(
  open: (key: string) => Promise<Opened>,
): (key: string) => Promise<Opened> {
  const shared = new Map<string, { users: number; opened: Promise<Opened> }>();
  return async (key) => {
    const use = shared.get(key) ?? { users: 0, opened: open(key) };
    shared.set(key, use);
    use.users += 1;
    const forget = () => {
      if (shared.get(key) === use) shared.delete(key);
    };
    const opened = await use.opened.catch((error: unknown) => {
      forget();
      throw error;
    });
    let isClosed = false;
    const close = async () => {
      if (isClosed) return;
      isClosed = true;
      use.users -= 1;
      if (use.users > 0) return;
      forget();
      await opened.close();
    };
    return { ...opened, close };
  };
}
