import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface Violation {
  id: string;
  impact: string | null;
  nodes: { html: string; failureSummary?: string }[];
}

interface Axe {
  /** Its rules. Those whose impact depends on what they find have none. */
  _audit: { rules: { id: string; impact: string | null }[] };
  run(context: unknown, options: object): Promise<{ violations: Violation[] }>;
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe is requested: `colours` is what a change of the theme can break, `structure` all else. */
export type Rules = 'all' | 'colours' | 'structure';

/** They take as long as all others together. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * Serious problems of the page, and worse ones, as axe finds them. A line each.
 * @param about default everything.
 * @param part selector of the only part that is checked, for what opens above a page that has been checked. Default
 * the page.
 */
export async function seriousProblems(page: Page, about: Rules = 'all', part?: string): Promise<string[]> {
  // Evaluated by the debugger, which the page's content security policy does not concern.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(source);
  const asked = {
    runOnly: about === 'colours' ? { type: 'rule', values: colourRules } : undefined,
    without: about === 'structure' ? colourRules : [],
    part,
  };
  const violations = await page.evaluate(async ({ runOnly, without, part }) => {
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
    // Nobody requests what a rule finds that is never serious.
    const harmless = axe._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate');
    const off = [...without, ...harmless.map(({ id }) => id)];
    const rules = Object.fromEntries(off.map((id) => [id, { enabled: false }]));
    // Of what has passed the details are not read.
    const found = await axe.run(part ?? document, {
      resultTypes: ['violations'],
      ...(runOnly ? { runOnly } : { rules }),
    });
    return found.violations;
  }, asked);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.length} × ${nodes[0]?.html.slice(0, 200)} (${nodes[0]?.failureSummary})`);
}
