/** Collects items while a batch runs, and processes them in the next batch. */
export interface Batcher<Item, Result> {
  add(item: Item): Promise<Result>;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(response: Result): void;
  reject(error: unknown): void;
}

/** Limits the size of one statement. */
const batchSize = 500;

/**
 * Runs one batch at a time: a single item is processed immediately, and batches grow under load.
 * @param flush returns one result per item, in order. Its error is the error of all of them.
 */
export function createBatcher<Item, Result>(
  flush: (items: readonly Item[]) => Promise<readonly Result[]>,
): Batcher<Item, Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchSize);
      try {
        const responses = await flush(batch.map((one) => one.item));
        for (const [place, one] of batch.entries()) one.resolve(responses[place] as Result);
      } catch (error) {
        for (const one of batch) one.reject(error);
      }
    }
    isRunning = false;
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (isRunning) return;
        isRunning = true;
        // Items of the same turn of the event loop share a batch.
        setImmediate(() => void work());
      }),
  };
}
