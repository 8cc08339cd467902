import type { Page } from 'playwright-core';
import type { ApiPlan } from './api-plan.ts';
import { expectedActions, knownSentences } from './expected-actions.ts';
import { expectedForecasts, expectedStrips, relievedHosts } from './expected-forecasts.ts';
import {
  expectedHeadline,
  expectedHosts,
  expectedLead,
  expectedNotes,
  expectedOutcome,
  expectedProgress,
  expectedRow,
} from './expected-parts.ts';
import { expectedGraph, expectedMap, expectedRun, expectedTimeline } from './expected-tabs.ts';
import { readPage, type Shown } from './read-page.ts';
import { type DrawnTab, readTab } from './read-tab.ts';

/** Parts of pages that were compared with the API, and those that differ. */
export interface PageVerdict {
  compared: number;
  different: string[];
}

/** Forecasts that a page reads at most. */
const mostForecasts = 8;

/**
 * Compares every number on the pages of a plan, in the list of plans and in the report with the API.
 * @param base URL of the dashboard
 * @param memoryOf MiB of an instance by its uuid
 */
export async function judgePages(
  page: Page,
  base: string,
  plan: ApiPlan,
  memoryOf: (id: string) => number,
): Promise<PageVerdict> {
  const verdict: PageVerdict = { compared: 0, different: [] };
  const own = `${base}/plans/${plan.uuid}`;
  const headline = new Map([...expectedHeadline(plan, memoryOf), ...expectedStrips(plan)]);
  const outcome = expectedOutcome(plan);
  const [lead, progress] = [expectedLead(plan), expectedProgress(plan)];
  const [hosts, changed] = [expectedHosts(plan, false), expectedHosts(plan, true)];
  const [actions, listed] = [expectedActions(plan, false), expectedActions(plan, true)];
  const pages: [name: string, url: string, expected: Shown[]][] = [
    ['page', `${own}?tab=hosts&hosts.rows=100`, [headline, progress, lead, hosts]],
    ['actions', `${own}?tab=actions&actions.rows=100`, [headline, progress, actions]],
    ['outcome', `${own}?tab=outcome`, [headline, progress, outcome]],
    ['report', `${own}/report`, [headline, outcome, changed, listed]],
    ['list', `${base}/plans?rows=100&search=${plan.uuid.slice(0, 8)}`, [expectedRow(plan, memoryOf)]],
  ];
  const sentences = new Set([...knownSentences(plan), ...expectedNotes(plan)]);
  for (const [name, url, expected] of pages) {
    const read = name === 'list' ? [] : relievedHosts(plan).slice(0, mostForecasts);
    const { parts, others, forecasts } = await readPage(page, url, read);
    if (name !== 'list') expected.push(expectedForecasts(plan, forecasts, name === 'report'));
    comparePart(verdict, name, new Map(expected.flatMap((part) => [...part])), parts);
    for (const other of name === 'list' ? [] : others) {
      if (!sentences.has(other)) verdict.different.push(`${name}: "${other}" is in no known part`);
    }
  }
  const tabs: [tab: DrawnTab, query: string, expected: Shown][] = [
    ['run', '', expectedRun(plan)],
    ['graph', '', expectedGraph(plan)],
    ['map', '&of=vcpus', expectedMap(plan, 'vcpus')],
    ['map', '&of=memory', expectedMap(plan, 'memory')],
    ['timeline', '', expectedTimeline(plan)],
  ];
  for (const [tab, query, expected] of tabs)
    comparePart(verdict, `${tab}${query}`, expected, await readTab(page, own, tab, query));
  return verdict;
}

function comparePart(verdict: PageVerdict, name: string, expected: Shown, parts: Shown): void {
  const { different } = verdict;
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');
  for (const [part, text] of expected) {
    verdict.compared += 1;
    const shown = parts.get(part);
    if (shown === undefined) different.push(`${name}: "${part}" is missing: ${text}`);
    else if (plain(shown) !== plain(text))
      different.push(`${name}: "${part}" is "${plain(shown)}", the API has "${plain(text)}"`);
  }
  for (const [part, text] of parts) {
    if (expected.has(part) || !/\d/.test(text)) continue;
    different.push(`${name}: "${part}" is "${plain(text)}", which the judge does not know`);
  }
}
