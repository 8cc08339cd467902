import type { ActionContext } from '#libs/plugin-kit';

/**
 * Polls every `intervalMs` until `read` returns a value. `context.sleep` rejects at the end of the time budget, when
 * the lease is lost and when the process stops.
 */
export async function pollUntil<Result>(
  context: Pick<ActionContext, 'sleep'>,
  intervalMs: number,
  read: () => Promise<Result | undefined>,
): Promise<Result> {
  for (;;) {
    const response = await read();
    if (response !== undefined) return response;
    await context.sleep(intervalMs);
  }
}

/** Like `pollUntil`, but returns undefined after `budgetMs` of waiting. The last poll follows the last wait. */
export async function pollWithin<Result>(
  context: Pick<ActionContext, 'sleep'>,
  time: { intervalMs: number; budgetMs: number },
  read: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  for (let waitedMs = 0; ; waitedMs += time.intervalMs) {
    const response = await read();
    if (response !== undefined || waitedMs >= time.budgetMs) return response;
    await context.sleep(time.intervalMs);
  }
}
