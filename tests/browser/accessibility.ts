import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface Violation {
  id: string;
  impact: string | null;
  nodes: { html: string; failureSummary?: string }[];
}

interface Axe {
  /** Its rules. A rule whose impact depends on its findings has none. */
  _audit: { rules: { id: string; impact: string | null }[] };
  run(context: unknown, options: object): Promise<{ violations: Violation[] }>;
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules of axe to check: `colours` are those that a theme can break, `structure` all others. */
export type Rules = 'all' | 'colours' | 'structure';

/** These rules take as long as all others together. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * Problems of the page that axe calls serious or critical. A line each.
 * @param about default all rules.
 * @param part selector of the part to check, default the page.
 */
export async function seriousProblems(page: Page, about: Rules = 'all', part?: string): Promise<string[]> {
  // The debugger evaluates it: the content security policy of the page does not apply.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(source);
  const requested = {
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
    // An element that fades in has less contrast. Endless animations are not awaited.
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map(({ finished }) => finished));
    // Rules that are never serious are off.
    const harmless = axe._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate');
    const off = [...without, ...harmless.map(({ id }) => id)];
    const rules = Object.fromEntries(off.map((id) => [id, { enabled: false }]));
    // Details of passed rules are not needed.
    const found = await axe.run(part ?? document, {
      resultTypes: ['violations'],
      ...(runOnly ? { runOnly } : { rules }),
    });
    return found.violations;
  }, requested);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.length} × ${nodes[0]?.html.slice(0, 200)} (${nodes[0]?.failureSummary})`);
}
