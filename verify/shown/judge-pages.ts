import type { Page } from 'playwright-core';
import { type Action, routeOf } from '#libs/client';
import type { ApiPlan } from './api-plan.ts';
import { expectedHeadline, expectedHosts, expectedLead, expectedOutcome, expectedRow } from './expected-parts.ts';
import { readPage, type Shown } from './read-page.ts';

/** Parts of pages that were compared with the API, and those that differ. */
export interface PageVerdict {
  compared: number;
  different: string[];
}

/** Parts that are not compared: the state of a run, and the rows of actions. */
const notCompared = /^(progress|strip: |Actions: |Hosts: .*: (Service|So far|Today)$|side effect$)|: Audit$/;
const forecasts = /^Expected load without this plan: /;
/** Sentences that are not compared: forecasts and maintenance windows. */
const notComparedSentence = /^(Without this plan, |Wait(s|ing) for (its|the) maintenance window)/;

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
  const headline = expectedHeadline(plan, memoryOf);
  const outcome = expectedOutcome(plan);
  const pages: [name: string, url: string, expected: Shown][] = [
    [
      'page',
      `${own}?tab=hosts&hosts.rows=100`,
      new Map([...headline, ...expectedLead(plan), ...expectedHosts(plan, false)]),
    ],
    ['outcome', `${own}?tab=outcome`, new Map([...headline, ...outcome])],
    ['report', `${own}/report`, new Map([...headline, ...outcome, ...expectedHosts(plan, true)])],
    ['list', `${base}/plans?rows=100&search=${plan.uuid.slice(0, 8)}`, expectedRow(plan, memoryOf)],
  ];
  for (const [name, url, expected] of pages) {
    const { parts, others } = await readPage(page, url);
    comparePart(verdict, name, expected, parts);
    compareStrips(verdict, name, plan, parts);
    for (const other of name === 'list' ? [] : others) {
      if (!isReported(plan, other)) verdict.different.push(`${name}: "${other}" is in no known part`);
    }
  }
  return verdict;
}

/** Whether a text is a part of a status message, or the route of an action. */
function isReported({ messages, actions }: ApiPlan, shown: string): boolean {
  if (notComparedSentence.test(shown)) return true;
  const routes = actions.map((action) => routeOf(action as unknown as Action));
  return [...messages, ...routes].some((known) => known.replaceAll(/\s+/g, ' ').includes(shown));
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
    if (
      expected.has(part) ||
      notCompared.test(part) ||
      forecasts.test(part) ||
      !/\d/.test(text) ||
      part.startsWith('headline: ')
    )
      continue;
    different.push(`${name}: "${part}" is "${plain(text)}", which the judge does not know`);
  }
}

/** Squares of hosts: each names its host, and the share of one quantity. */
function compareStrips(verdict: PageVerdict, name: string, plan: ApiPlan, parts: Shown): void {
  for (const moment of ['before', 'after'] as const) {
    const cells = parts.get(`strip: ${moment}`)?.split('; ') ?? [];
    for (const cell of cells) {
      const [, hostname, share] = /^(\S+), .*: ([\d.,]+)\s%$/.exec(cell) ?? [];
      const shares = plan.shares.find((host) => host.hostname === hostname)?.shares ?? {};
      const known = Object.values(shares).map((values) => String(Math.round(values[moment])));
      verdict.compared += 1;
      if (!share || !known.includes(share))
        verdict.different.push(`${name}: ${moment}: "${cell}", the API has ${known}`);
    }
  }
}
