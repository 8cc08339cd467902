/** Collects items while a batch runs, and processes them in the next one. */
export interface Batcher<Item, Answer> {
  add(item: Item): Promise<Answer>;
}

interface Waiting<Item, Answer> {
  item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Bounds the size of one statement. */
const batchSize = 500;

/**
 * Runs one batch at a time: a single item is processed at once, and batches grow under load.
 * @param flush returns one result per item, in order. Its error is the error of all of them.
 */
export function createBatcher<Item, Answer>(
  flush: (items: readonly Item[]) => Promise<readonly Answer[]>,
): Batcher<Item, Answer> {
  const waiting: Waiting<Item, Answer>[] = [];
  let isRunning = false;

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchSize);
      try {
        const answers = await flush(batch.map((one) => one.item));
        for (const [place, one] of batch.entries()) one.resolve(answers[place] as Answer);
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
