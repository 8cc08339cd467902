import type { ActionContext } from '#libs/plugin-kit';

/**
 * Polls every `intervalMs` until `look` returns a value. The end of the time budget, a lost lease and the end of the
 * process arrive through `context.sleep`, which then rejects.
 */
export async function pollUntil<Answer>(
  context: Pick<ActionContext, 'sleep'>,
  intervalMs: number,
  look: () => Promise<Answer | undefined>,
): Promise<Answer> {
  for (;;) {
    const answer = await look();
    if (answer !== undefined) return answer;
    await context.sleep(intervalMs);
  }
}

/** As `pollUntil`, but returns undefined after `budgetMs` of waiting. The last poll follows the last wait. */
export async function pollWithin<Answer>(
  context: Pick<ActionContext, 'sleep'>,
  time: { intervalMs: number; budgetMs: number },
  look: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  for (let waitedMs = 0; ; waitedMs += time.intervalMs) {
    const answer = await look();
    if (answer !== undefined || waitedMs >= time.budgetMs) return answer;
    await context.sleep(time.intervalMs);
  }
}
