import {
  type Amounts,
  type CrookedWorld,
  createNovaJudge,
  type NovaJudge,
  ownAmountsOf,
  virtualServices,
} from '#libs/random-worlds';
import type { AuditContext } from './audit-context.ts';
import type { Played } from './play-plan.ts';
import type { Audited } from './run-audit.ts';

/** Number of hosts that a plan frees: those that it empties without those that it wakes. */
function released(
  { services }: CrookedWorld,
  { manifest, actions }: Audited,
  before: NovaJudge,
  { after, judge }: Played,
) {
  if (manifest.name === 'vm_workload_consolidation') {
    const switched = (state: string) => actions.filter(({ inputParameters: input }) => input.state === state).length;
    return Math.max(0, switched('disabled') - switched('enabled'));
  }
  const lost = ({ host }: { host: string }) => before.usersOf(host).length > 0 && judge.usersOf(host).length === 0;
  const statusAfter = new Map(after.services.map(({ host, status }) => [host, status]));
  const woken = services.filter(({ host, status }) => status === 'disabled' && statusAfter.get(host) === 'enabled');
  return Math.max(0, services.filter(lost).length - woken.length);
}

/** Number of hosts that a strategy considers, by its documentation. */
function considered(world: CrookedWorld, { hosts }: AuditContext, strategy: string): number {
  const inScope = virtualServices(world).filter(({ host }) => hosts.has(host));
  if (strategy === 'node_resource_consolidation') return inScope.length;
  const up = inScope.filter(({ state, forcedDown }) => state === 'up' && !forcedDown);
  if (strategy === 'vm_workload_consolidation') return up.length;
  return up.filter(({ status }) => status === 'enabled').length;
}

/** Indicators that guide an operator's decision, recomputed from the world and the plan. */
function expectedIndicators(world: CrookedWorld, auditContext: AuditContext, audited: Audited, played: Played) {
  const { actions, manifest } = audited;
  const migrations = actions.filter(({ actionType }) => actionType === 'migrate');
  const memoryOf = new Map(world.servers.map(({ uuid, flavor }) => [uuid, flavor.ramMb / 1024]));
  const ofWay = (way: string) =>
    migrations.filter(({ inputParameters }) => inputParameters.migration_type === way).length;
  return {
    instance_migrations_count: migrations.length,
    released_compute_nodes_count: released(world, audited, createNovaJudge(world), played),
    compute_nodes_count: considered(world, auditContext, manifest.name),
    planned_live_migrate_instance_count: ofWay('live'),
    planned_cold_migrate_instance_count: ofWay('cold'),
    moved_memory: migrations.reduce(
      (sum, { inputParameters: { resource_id: id } }) => sum + (memoryOf.get(String(id)) ?? 0),
      0,
    ),
    planned_volume_migrate_count: actions.filter(({ actionType }) => actionType === 'volume_migrate').length,
  } as Record<string, number>;
}

/** Strategies that lower another figure than a single deviation. */
const hasOtherAim = new Set(['balance_optimizer', 'storage_capacity_balance']);

/** Returns errors in the efficacy that the audit reports. */
export function wrongIndicators(
  world: CrookedWorld,
  auditContext: AuditContext,
  audited: Audited,
  played: Played,
): string[] {
  const expected = expectedIndicators(world, auditContext, audited, played);
  const wrong = Object.entries(audited.indicators).flatMap(([name, value]) => {
    const should = expected[name];
    return should === undefined || should === value ? [] : [`${name} is ${value} instead of ${should}`];
  });
  const { standard_deviation_before_audit: before, standard_deviation_after_audit: after } = audited.indicators;
  // With several metrics the weighted sum falls, and one of them may rise. Plans that relieve pools or hosts are judged
  // by their threshold. Those for hosts may raise the deviation if the report says so.
  const { metrics } = audited.parameters;
  const { name } = audited.manifest;
  const isOne = !hasOtherAim.has(name) && (!Array.isArray(metrics) || metrics.length === 1);
  const isTold = name === 'workload_balance' && audited.report.notes.some((note) => /deviation .* rises/.test(note));
  if (isOne && before !== undefined && after !== undefined && after > before + 1e-9 && !isTold)
    wrong.push(`the deviation rises from ${before} to ${after}`);
  return wrong;
}

const classes = { vcpus: 'VCPU', dedicatedCpus: 'PCPU', memory: 'MEMORY_MB', disk: 'DISK_GB' } as const;

type Uses = Record<keyof typeof classes, number>;

function differences(what: string, reported: Uses, is: Amounts): string[] {
  return Object.entries(classes).flatMap(([name, kind]) => {
    const [one, other] = [reported[name as keyof Uses], is[kind] ?? 0];
    return Math.abs(one - other) < 1e-6 ? [] : [`${what}: ${name} ${one} instead of ${other}`];
  });
}

/** Allocations of a host, and the use of its servers that Placement does not know. */
export function usedOn(world: CrookedWorld, judge: NovaJudge, host: string): Amounts {
  const { servers, hypervisors, allocations } = world;
  const used = { ...judge.used(host) };
  const uuid = hypervisors.find(({ serviceHost }) => serviceHost === host)?.uuid ?? '';
  for (const server of servers) {
    if (server.host !== host || server.taskState !== null) continue;
    if (allocations.get(uuid)?.has(server.uuid)) continue;
    for (const [kind, amount] of Object.entries(ownAmountsOf(world, server))) used[kind] = (used[kind] ?? 0) + amount;
  }
  return used;
}

/** Returns errors in the table of hosts before and after the plan. */
export function wrongHosts(world: CrookedWorld, { hosts, actions }: Audited, { judge, after }: Played): string[] {
  const before = createNovaJudge(world);
  const hasFreeChoice = actions.some(
    ({ actionType, inputParameters }) => actionType === 'migrate' && inputParameters.destination_node === undefined,
  );
  const isEvacuation = actions.some(({ actionType }) => actionType === 'evacuate');
  return hosts.hosts.flatMap((row) => [
    ...differences(`${row.hostname} before`, row.before, usedOn(world, before, row.hostname)),
    ...differences(`${row.hostname} capacity`, row.capacity, before.capacity(row.hostname)),
    // An evacuated server occupies its failed host until that host returns.
    ...(hasFreeChoice || isEvacuation
      ? []
      : differences(`${row.hostname} after`, row.after, usedOn(after, judge, row.hostname))),
  ]);
}
