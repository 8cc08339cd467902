import type { ActionContext } from '#libs/plugin-kit';

/**
 * Checks again and again, `intervalMs` apart, until `look` answers something. The end of the time budget, a lost lease
 * and the end of the process arrive through `context.sleep`, which rejects then.
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

/**
 * As `pollUntil`, but gives up, with undefined, once `budgetMs` of waiting are over. The last look comes after them.
 */
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
