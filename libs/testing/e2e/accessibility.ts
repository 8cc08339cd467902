import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface Violation {
  id: string;
  impact: string | null;
  nodes: { html: string; failureSummary?: string }[];
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Serious problems of the page, and worse ones, as axe finds them; a line each.
 * @param about `colours` asks only for what a change of the theme can break; default everything.
 */
export async function seriousProblems(page: Page, about: 'all' | 'colours' = 'all'): Promise<string[]> {
  // Evaluated by the debugger, which the page's content security policy does not concern.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(source);
  const only = about === 'colours' ? { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } : undefined;
  const violations = await page.evaluate(async (runOnly) => {
    interface Axe {
      run(options: object): Promise<{ violations: Violation[] }>;
    }
    interface Animation {
      finished: Promise<unknown>;
      effect: { getComputedTiming(): { endTime: number } } | null;
    }
    const { axe, document } = globalThis as unknown as { axe: Axe; document: { getAnimations(): Animation[] } };
    // What fades in has less contrast meanwhile. What turns for ever is not waited for.
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map(({ finished }) => finished));
    // Of what has passed the details are not read.
    const found = await axe.run({ resultTypes: ['violations'], ...(runOnly ? { runOnly } : {}) });
    return found.violations;
  }, only);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.length} × ${nodes[0]?.html.slice(0, 200)} (${nodes[0]?.failureSummary})`);
}
