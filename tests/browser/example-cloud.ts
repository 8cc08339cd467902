import { dataOf } from '#libs/client';
import { addDeadLetters } from './given-up-work.ts';
import type { Dashboard } from './use-dashboard.ts';
import { strategyNames } from './wait-for-engine.ts';

/** Paths of pages about one thing each. */
export interface ExamplePaths {
  audit: string;
  /** An audit that waits for its next run. */
  continuous: string;
  /** A recommended plan. */
  plan: string;
  /** A plan that has succeeded. */
  ended: string;
  /** A plan of which an action failed. */
  failed: string;
  host: string;
  instance: string;
}

/**
 * Fills every list of the dashboard: with a plan of a decision engine, and with rows in all states that pages show
 * differently.
 */
export async function fillDashboard({
  stack,
  store,
  rows,
}: Pick<Dashboard, 'stack' | 'store' | 'rows'>): Promise<ExamplePaths> {
  const { client, env } = stack;
  await addDeadLetters(env.VIGIL_DATABASE_URL ?? '', 2, 'handler failed');
  await rows.failedTask('no such goal');
  await rows.template('example');
  await rows.rule('example', 'compute-2');
  const ended = await rows.plan({ plan: { state: 'SUCCEEDED' }, action: () => ({ state: 'SUCCEEDED' }) });
  const failed = await rows.plan({
    plan: { state: 'ONGOING' },
    action: (place) => (place === 0 ? { state: 'FAILED', statusMessage: 'Nova refused it' } : { state: 'CANCELLED' }),
  });
  await store.db.actionPlans.transition(failed.plan.uuid, 'fail');
  await rows.plan({ plan: { state: 'ONGOING', paused: true } });
  const continuous = await rows.audit({ auditType: 'CONTINUOUS', interval: '0 3 * * *', state: 'ONGOING' });
  await strategyNames(client);
  const body = {
    name: 'example',
    audit_type: 'ONESHOT',
    goal: 'placement_optimization',
    strategy: 'placement_optimizer',
    parameters: { preset: 'balance', time_limit: 1, min_gain: 0, effort: 'best' },
    auto_trigger: false,
    force: true,
  };
  const { uuid } = await dataOf(client.api.POST('/v1/audits', { body: body as never }));
  const { state } = await client.waitForAudit(uuid, { pollMs: 200, timeoutMs: 120_000 });
  const [plan] = await client.list('action_plans', { filters: { audit_uuid: uuid } });
  const [action] = await client.list('actions', { filters: { action_plan_uuid: plan?.uuid } });
  const { resource_id: moved } = (action?.input_parameters ?? {}) as { resource_id?: string };
  if (!plan || !moved) throw new Error(`the audit ended as ${state} without a migration`);
  return {
    audit: `audits/${uuid}`,
    continuous: `audits/${continuous.uuid}`,
    plan: `plans/${plan.uuid}`,
    ended: `plans/${ended.plan.uuid}`,
    failed: `plans/${failed.plan.uuid}`,
    host: 'cluster/hosts/compute-1',
    instance: `cluster/instances/${moved}`,
  };
}

/** Pages and tabs that exist for every database. */
export const fixedPages = [
  'overview',
  'cluster',
  'cluster/past',
  'what-if',
  'what-if?question=place&flavor=m1.small&count=20',
  'what-if?question=lose&kind=host&name=compute-1',
  'what-if?question=move',
  'rules',
  'goals?strategy=workload_stabilization',
  'templates',
  'audits',
  'audits/new',
  'audits/new?strategy=placement_optimizer&step=parameters',
  'audits/new?strategy=workload_stabilization&step=scope',
  'audits/new?strategy=workload_stabilization&step=schedule',
  'plans',
  'trends',
  'trends/report',
  'services',
  'services?tab=graph',
  'services?tab=events',
  'tasks',
  'tasks?tab=schedules',
  'dead-letters',
  'dead-letters?tab=messages',
  'audit-log',
] as const;

/** Every tab of a plan. */
export const planTabs = ['run', 'graph', 'actions', 'map', 'hosts', 'timeline', 'outcome'] as const;

/** Every page by its path, once. */
export function everyPage(paths: ExamplePaths): string[] {
  const tabs = planTabs.map((tab) => `${paths.plan}?tab=${tab}`);
  const reports = [paths.plan, paths.ended].map((plan) => `${plan}/report`);
  const others = [paths.failed, paths.ended, paths.audit, paths.continuous, paths.host, paths.instance];
  return [...fixedPages, ...tabs, ...reports, ...others];
}
