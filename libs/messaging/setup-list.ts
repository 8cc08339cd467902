/** The setups of a connection that reconnects: each runs on every connection. */
export interface SetupList<Setup> {
  /**
   * Adds the setup, and runs it now when a connection is open. A failure on a lost connection is ignored, since the
   * setup runs on the next one.
   * @returns a function that removes the setup
   * @throws the failure on a connection that is still open. The setup is removed then.
   */
  attach(setup: Setup): Promise<() => void>;
  has(setup: Setup): boolean;
  /** In the order of `attach`. The iteration includes a setup that is attached during it. */
  [Symbol.iterator](): Iterator<Setup>;
  clear(): void;
}

export interface SetupListOptions<Connection, Setup> {
  /** The open connection on which all setups have run. Null without one. */
  current(): Connection | null;
  run(connection: Connection, setup: Setup): Promise<void>;
}

/** Creates an empty list. */
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
