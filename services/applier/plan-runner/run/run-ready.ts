/** Work whose order is decided while it is done. */
export interface ReadyWork<Item> {
  /** Items that may start now, in order of preference. Those that run are passed over. Read no further than needed. */
  ready(): Iterable<Item>;
  keyOf(item: Item): string;
  /** Takes the resources of the item. Null when it must wait. */
  acquire(item: Item): (() => void) | null;
  run(item: Item): Promise<void>;
  /** At once at most. */
  limit: number;
  /** Lets a source of change wake the loop. Returns how to stop listening. */
  listen(wake: () => void): () => void;
}

/**
 * Runs items as they become ready until none is ready and none runs. The first error stops new items from start
 * and is thrown when the running ones have ended.
 */
export async function runReady<Item>(work: ReadyWork<Item>): Promise<void> {
  const running = new Set<string>();
  const bell = createBell();
  const stopListening = work.listen(bell.ring);
  let failure: { error: unknown } | undefined;

  function begin(item: Item, release: () => void): void {
    const key = work.keyOf(item);
    running.add(key);
    work
      .run(item)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        running.delete(key);
        release();
        bell.ring();
      });
  }

  /** Returns whether some item waits for others to free its resources. */
  function startReady(): boolean {
    let isWaiting = false;
    for (const item of work.ready()) {
      if (running.has(work.keyOf(item))) continue;
      if (running.size >= work.limit) return true;
      const release = work.acquire(item);
      if (release) begin(item, release);
      else isWaiting = true;
    }
    return isWaiting;
  }

  try {
    for (;;) {
      const isWaiting = failure === undefined && startReady();
      if (running.size === 0 && !isWaiting) break;
      await bell.rung();
    }
  } finally {
    stopListening();
  }
  if (failure) throw failure.error;
}

/** Remembers a ring until a waiter has seen it. */
function createBell(): { ring(): void; rung(): Promise<void> } {
  let isRinging = false;
  let wake: () => void = () => undefined;
  return {
    ring() {
      isRinging = true;
      wake();
    },
    async rung() {
      if (!isRinging) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      isRinging = false;
    },
  };
}
