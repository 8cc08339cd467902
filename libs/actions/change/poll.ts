import type { ActionContext } from '#libs/plugin-kit';

/**
 * Polls every `intervalMs` until `look` returns a value. `context.sleep` rejects at the end of the time budget, when
 * the lease is lost and when the process stops.
 */
export async function pollUntil<Result>(
  context: Pick<ActionContext, 'sleep'>,
  intervalMs: number,
  look: () => Promise<Result | undefined>,
): Promise<Result> {
  for (;;) {
    const answer = await look();
    if (answer !== undefined) return answer;
    await context.sleep(intervalMs);
  }
}

/** Like `pollUntil`, but returns undefined after `budgetMs` of waiting. The last poll follows the last wait. */
export async function pollWithin<Result>(
  context: Pick<ActionContext, 'sleep'>,
  time: { intervalMs: number; budgetMs: number },
  look: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  for (let waitedMs = 0; ; waitedMs += time.intervalMs) {
    const answer = await look();
    if (answer !== undefined || waitedMs >= time.budgetMs) return answer;
    await context.sleep(time.intervalMs);
  }
}
