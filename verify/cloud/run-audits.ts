import type { Action, VigilClient } from '#libs/client';
import { dataOf } from '#libs/client';
import type { JsonObject } from '#libs/domain';
import type { Draw } from '#libs/random-worlds';

/** Longest run of an audit, and of a plan, in milliseconds. */
const auditLimitMs = 5 * 60_000;
const planLimitMs = 15 * 60_000;

/** An audit that was run, and the actions of its plan. */
export interface AuditRun {
  strategy: string;
  audit: string;
  /** Final state of the audit, and of the plan where it has one. */
  state: string;
  plan: string | null;
  message: string | null;
  actions: readonly Action[];
}

type Order = [strategy: string, parameters: JsonObject];

/** Audits of the strategies that move servers or volumes. Balance and consolidation alternate: each has work. */
function ordersOf(hosts: readonly string[], draw: Draw): Order[] {
  const [first = '', second = '', third = ''] = draw.shuffled(hosts);
  const search = { time_limit: 2, minimum_coverage: 1 };
  return [
    ['allocation_balance', { resource: 'vcpus' }],
    ['vm_workload_consolidation', { minimum_coverage: 1 }],
    ['workload_stabilization', { thresholds: { instance_cpu_usage: 0.01 } }],
    ['host_maintenance', { maintenance_node: first }],
    ['host_return', { compute_nodes: [first], bring_back: true, any_reason: true }],
    ['balance_optimizer', { ...search, preset: 'even', min_gain: 0.1 }],
    ['consolidation_optimizer', search],
    ['workload_balance', { threshold: 20, minimum_coverage: 1 }],
    ['node_resource_consolidation', {}],
    ['allocation_balance', { resource: 'memory' }],
    ['basic', { minimum_coverage: 1 }],
    ['balance_optimizer', { ...search, hot_limit: 20 }],
    ['placement_optimizer', { time_limit: 2, preset: 'consolidate' }],
    ['host_maintenance', { maintenance_node: second, backup_node: third }],
    ['host_return', { compute_nodes: [...hosts], bring_back: true, any_reason: true }],
    ['zone_migration', { compute_nodes: [{ src_node: third }, { src_node: first }] }],
    ['rolling_maintenance', { compute_nodes: [second], if_stuck: 'skip', bring_back: true }],
    ['storage_capacity_balance', { volume_threshold: 10 }],
    ['noisy_neighbor', { signal: 'steal', steal_threshold: 3 }],
    ['saving_energy', {}],
  ];
}

/**
 * Runs `count` audits in sequence, and starts each plan. More audits than orders repeat them. `onRun` is called after
 * each.
 */
export async function runAudits(
  client: VigilClient,
  options: { hosts: readonly string[]; count: number; draw: Draw; onRun: (run: AuditRun) => void },
): Promise<AuditRun[]> {
  const goals = new Map((await client.list('strategies')).map(({ name, goal_name }) => [name, goal_name]));
  const runs: AuditRun[] = [];
  let orders: Order[] = [];
  while (runs.length < options.count) {
    if (orders.length === 0) orders = ordersOf(options.hosts, options.draw);
    const [strategy, parameters] = orders.shift() as Order;
    const run = await runAudit(client, { goal: goals.get(strategy) ?? '', strategy, parameters });
    runs.push(run);
    options.onRun(run);
  }
  return runs;
}

async function runAudit(
  client: VigilClient,
  { goal, strategy, parameters }: { goal: string; strategy: string; parameters: JsonObject },
): Promise<AuditRun> {
  const body = { audit_type: 'ONESHOT' as const, goal, strategy, parameters };
  const { uuid } = await dataOf(client.api.POST('/v1/audits', { body }));
  const audit = await client.waitForAudit(uuid, { timeoutMs: auditLimitMs });
  const ended = { strategy, audit: uuid, state: audit.state, plan: null, message: audit.status_message ?? null };
  const [plan] = await client.list('action_plans', { filters: { audit_uuid: uuid } });
  if (plan === undefined || plan.state !== 'RECOMMENDED') return { ...ended, actions: [] };
  await dataOf(client.api.POST('/v1/action_plans/{ident}/start', { params: { path: { ident: plan.uuid } }, body: {} }));
  const done = await client.waitForActionPlan(plan.uuid, { timeoutMs: planLimitMs });
  const actions = await client.list('actions', { filters: { action_plan_uuid: plan.uuid } });
  return { ...ended, state: done.state, plan: plan.uuid, message: done.status_message ?? null, actions };
}
