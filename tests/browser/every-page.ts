import type { DashboardStack } from './dashboard-stack.ts';

/** Every page that is there before anything has been made, and its tabs. */
export const pages = [
  'overview',
  'cluster',
  'rules',
  'goals?strategy=workload_stabilization',
  'templates',
  'audits',
  'audits/new',
  'plans',
  'trends',
  'services',
  'services?tab=graph',
  'tasks',
  'tasks?tab=schedules',
  'services?tab=events',
  'dead-letters',
  'dead-letters?tab=messages',
  'audit-log',
  'audit-log?method=DELETE',
] as const;

/** The tabs and the parts of one plan, its audit, and where its instances are. */
export async function pagesOfPlan({ stack }: DashboardStack): Promise<string[]> {
  const [plan] = await stack.client.list('action_plans');
  const [audit] = await stack.client.list('audits');
  const [action] = await stack.client.list('actions', { filters: { action_plan_uuid: plan?.uuid } });
  const { resource_id: moved } = (action?.input_parameters ?? {}) as { resource_id?: string };
  const host = (await stack.control<{ hosts: { name: string }[] }>('/state')).hosts[0]?.name;
  return [
    `plans/${plan?.uuid}`,
    `plans/${plan?.uuid}?tab=graph`,
    `plans/${plan?.uuid}?tab=actions`,
    `plans/${plan?.uuid}?action=${action?.uuid}`,
    `plans/${plan?.uuid}?tab=map&scale=relative&group=zone`,
    `plans/${plan?.uuid}?tab=hosts`,
    `plans/${plan?.uuid}?tab=timeline`,
    `plans/${plan?.uuid}?tab=outcome`,
    `audits/${audit?.uuid}`,
    `cluster/instances/${moved}`,
    `cluster/hosts/${host}`,
  ];
}
