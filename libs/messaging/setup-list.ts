/** The set-ups of a connection that is opened again and again: each runs on every connection. */
export interface SetupList<Setup> {
  /**
   * Adds the set-up, and runs it now when a connection is open. A failure on a connection that is lost by then is
   * ignored, since the set-up runs on the next one.
   * @returns a function that removes the set-up
   * @throws the failure on a connection that is still open. The set-up is removed then.
   */
  attach(setup: Setup): Promise<() => void>;
  has(setup: Setup): boolean;
  /** In the order of `attach`. A set-up that is attached during the iteration is visited as well. */
  [Symbol.iterator](): Iterator<Setup>;
  clear(): void;
}

export interface SetupListOptions<Connection, Setup> {
  /** The open connection on which all set-ups have run. Null while there is none. */
  current(): Connection | null;
  run(connection: Connection, setup: Setup): Promise<void>;
}

/** Starts without set-ups. */
export function createSetupList<Connection, Setup>({
  current,
  run,
}: SetupListOptions<Connection, Setup>): SetupList<Setup> {
  const setups = new Set<Setup>();

  async function attach(setup: Setup): Promise<() => void> {
    setups.add(setup);
    const connection = current();
    if (connection !== null) {
      await run(connection, setup).catch((error) => {
        if (current() !== connection) return;
        setups.delete(setup);
        throw error;
      });
    }
    return () => setups.delete(setup);
  }

  return {
    attach,
    has: (setup) => setups.has(setup),
    [Symbol.iterator]: () => setups.values(),
    clear: () => setups.clear(),
  };
}
