/** Work whose order is determined during its execution. */
export interface ReadyWork<Item> {
  /** Items that may start now, in order of preference. Running items are skipped. The iterable is read lazily. */
  ready(): Iterable<Item>;
  keyOf(item: Item): string;
  /** Takes the resources of the item. Null when it must wait. */
  acquire(item: Item): (() => void) | null;
  run(item: Item): Promise<void>;
  /** Limit of parallel items. */
  limit: number;
  /** Subscribes the loop to a source of changes. Returns the function that unsubscribes. */
  listen(wake: () => void): () => void;
}

/**
 * Runs items as they become ready, until no item is ready or running. The first error prevents further starts, and is
 * thrown after the running items have ended.
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

  /** Returns whether an item waits for resources of other items. */
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

/** Keeps a wake-up until a waiter has received it. */
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
