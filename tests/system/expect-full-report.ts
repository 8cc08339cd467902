import { expect } from 'vitest';
import { dataOf, type VigilClient } from '#libs/client';
import { strategyCatalogue } from '#libs/strategies';

const count = expect.toSatisfy((value: unknown) => Number.isInteger(value) && Number(value) >= 0);
const some = expect.stringMatching(/\S/);

interface Counted {
  considered: number;
  eligible: number;
}

interface MetricRow {
  metric: string;
  asked: number;
  missing: number;
  missing_examples: string[];
}

/**
 * A SUCCEEDED audit reports the considered objects, the exclusions of each constraint, the queried metrics and the
 * reason of an empty plan. Each of its actions has a reason.
 */
export async function expectFullReport(client: VigilClient, auditUuid: string, planUuid: string): Promise<void> {
  const audit = await client.get('audits', auditUuid);
  const strategy = String(audit.strategy_name);
  const ident = { params: { path: { ident: auditUuid } } };
  const { report } = await dataOf(client.api.GET('/v1/audits/{ident}/report', ident));
  expect(report, strategy).toMatchObject({
    strategy,
    hosts: { considered: count, eligible: count },
    instances: { considered: count, eligible: count },
    model_complete: true,
    model_age_seconds: expect.any(Number),
    timings_ms: { model: count, strategy: count, planner: count },
  });
  const { hosts, instances, pools, volumes, blocked, metrics, empty_because } = report as unknown as {
    hosts: Counted;
    instances: Counted;
    pools?: Counted;
    volumes?: Counted;
    blocked: { constraint: string; count: number; examples: string[] }[];
    metrics: MetricRow[];
    empty_because: string | null;
  };
  const counts = [hosts, instances, pools, volumes].flatMap((counted) => counted ?? []);
  expect(Math.max(...counts.map(({ considered }) => considered)), strategy).toBeGreaterThan(0);
  for (const { considered, eligible } of counts) expect(eligible, strategy).toBeLessThanOrEqual(considered);
  for (const one of blocked) {
    expect(one, strategy).toMatchObject({ constraint: some, count });
    expect(one.count, `${strategy}: ${one.constraint}`).toBeGreaterThan(0);
    expect(one.examples.length, `${strategy}: ${one.constraint}`).toBeLessThanOrEqual(Math.min(10, one.count));
  }
  expectMetrics(strategy, metrics);

  const actions = await client.list('actions', { filters: { action_plan_uuid: planUuid } });
  if (actions.length === 0) {
    expect(empty_because, strategy).toMatch(/\S/);
    expect(audit.status_message, strategy).toBe(empty_because);
    return;
  }
  expect(empty_because, strategy).toBeNull();
  const plan = { params: { path: { ident: planUuid } } };
  const preview = await dataOf(client.api.GET('/v1/action_plans/{ident}/preview', plan));
  expect(preview.actions.map(({ action_uuid }) => action_uuid).toSorted()).toEqual(
    actions.map(({ uuid }) => uuid).toSorted(),
  );
  const migrations = actions.filter(({ action_type }) => action_type === 'migrate').length;
  // The instances of this strategy are examples without a host.
  const moves = strategy === 'dummy_with_resize' ? 0 : migrations;
  expect(preview.hosts_taken_at, strategy).toMatch(/\S/);
  expect(sum(preview.hosts.map(({ instances_out }) => instances_out)), strategy).toBe(moves);
  for (const { before, so_far } of preview.hosts) expect(so_far, strategy).toEqual(before);
  for (const { summary } of preview.actions) expect(summary, strategy).toMatch(/\S/);
  const first = { params: { path: { ident: actions[0]!.uuid } } };
  const { reason } = await dataOf(client.api.GET('/v1/actions/{ident}/reason', first));
  expect(reason, strategy).toMatchObject({ rule: some, summary: some });
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

function expectMetrics(strategy: string, metrics: MetricRow[]): void {
  const required = strategyCatalogue.find(({ manifest }) => manifest.name === strategy)?.manifest.metrics ?? [];
  if (required.length > 0) expect(metrics.length, `${strategy} asks for ${required.join(', ')}`).toBeGreaterThan(0);
  for (const one of metrics) {
    const who = `${strategy}: ${one.metric}`;
    expect(one, who).toMatchObject({
      aggregate: some,
      period_seconds: expect.any(Number),
      asked: count,
      missing: count,
    });
    expect(one.missing, who).toBeLessThanOrEqual(one.asked);
    expect(one.missing_examples.length > 0, who).toBe(one.missing > 0);
    expect(one, who).toHaveProperty('source');
  }
}
