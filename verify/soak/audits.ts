import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf, VigilApiError, type VigilClient } from '#libs/client';
import type { JsonObject, RandomSource } from '#libs/domain';
import { soakZones } from './world.ts';

/** A strategy with the parameters that make it act on the world of the soak. */
interface Aim {
  goal: string;
  strategy: string;
  parameters: JsonObject;
}

const search = { time_limit: 1, period: 120, minimum_coverage: 10 };

/** Spreads instances over hosts. */
const balancing: readonly Aim[] = [
  {
    goal: 'workload_balancing',
    strategy: 'balance_optimizer',
    parameters: { preset: 'even', ...search, max_moves: 30, min_gain: 1 },
  },
  {
    goal: 'workload_balancing',
    strategy: 'workload_stabilization',
    parameters: {
      migration_budget: 20,
      thresholds: { instance_cpu_usage: 0.02 },
      periods: { instance: 60, compute_node: 60 },
    },
  },
  {
    goal: 'workload_balancing',
    strategy: 'workload_balance',
    parameters: { migration_budget: 15, threshold: 30, period: 60, minimum_coverage: 10 },
  },
];

/** Empties hosts. */
const consolidating: readonly Aim[] = [
  { goal: 'server_consolidation', strategy: 'consolidation_optimizer', parameters: { ...search, max_moves: 60 } },
  {
    goal: 'server_consolidation',
    strategy: 'vm_workload_consolidation',
    parameters: { migration_budget: 60, period: 120, minimum_coverage: 10 },
  },
  { goal: 'server_consolidation', strategy: 'node_resource_consolidation', parameters: { migration_budget: 60 } },
];

/** Continuous audit of the soak. */
export interface SoakAudit {
  uuid: string;
  name: string;
  strategy: string;
  /** Hosts of its scope. Null for all. */
  hosts: ReadonlySet<string> | null;
}

interface Scope {
  name: string;
  rules: object[];
  hosts: ReadonlySet<string> | null;
}

/** Draws audits, alternately of opposite aims, on scopes that overlap. */
export interface AuditDraw {
  /** Number `place` of the continuous audits: even ones balance, odd ones consolidate. */
  continuous(place: number): Promise<SoakAudit>;
  /** An audit that runs once. Its plan waits for an operator. */
  single(aim: 'balance' | 'consolidate'): Promise<SoakAudit>;
}

/** Longest time for which a starved API may refuse an audit, in milliseconds. */
const unavailableLimitMs = 120_000;

/** Repeats a request while the API is unavailable: it stored nothing then. */
async function whenAvailable<Data>(call: () => Promise<{ data?: Data }>): Promise<Data> {
  for (const untilMs = Date.now() + unavailableLimitMs; ; ) {
    try {
      return await dataOf(call());
    } catch (error) {
      const isUnavailable = error instanceof VigilApiError && error.status === 503;
      if (!isUnavailable || Date.now() > untilMs) throw error;
    }
    await sleep(1000);
  }
}

const intervalSeconds = { least: 20, more: 25 };

/** @param hosts all hosts of the world. */
export function createAuditDraw(client: VigilClient, hosts: readonly string[], random: RandomSource): AuditDraw {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  let drawn = 0;

  /** The whole cloud, a zone, or the cloud without some hosts. */
  function drawScope(): Scope {
    const kind = random();
    if (kind < 0.4) return { name: 'all', rules: [], hosts: null };
    if (kind < 0.7) {
      const zone = Math.floor(random() * soakZones);
      const own = hosts.filter((_, index) => index % soakZones === zone);
      const name = `zone-${zone + 1}`;
      return { name, rules: [{ compute: [{ availability_zones: [{ name }] }] }], hosts: new Set(own) };
    }
    const left = new Set(hosts.filter(() => random() < 0.25));
    const nodes = [...left].map((name) => ({ name }));
    const rules = [{ compute: [{ exclude: [{ compute_nodes: nodes }] }] }];
    return { name: `without-${left.size}`, rules, hosts: new Set(hosts.filter((host) => !left.has(host))) };
  }

  async function create(aim: Aim, scope: Scope, how: object): Promise<SoakAudit> {
    drawn += 1;
    const { goal, strategy, parameters } = aim;
    const name = `soak-${drawn}-${strategy}-${scope.name}`;
    const template = await whenAvailable(() =>
      client.api.POST('/v1/audit_templates', {
        body: { name, goal, strategy, scope: scope.rules as never },
      }),
    );
    const body = { name, audit_template_uuid: template.uuid, parameters, ...how };
    const { uuid } = await whenAvailable(() => client.api.POST('/v1/audits', { body: body as never }));
    return { uuid, name, strategy, hosts: scope.hosts };
  }

  return {
    continuous(place) {
      const interval = String(intervalSeconds.least + Math.floor(random() * intervalSeconds.more));
      // The first two work on the whole cloud, against each other.
      const scope = place < 2 ? { name: 'all', rules: [], hosts: null } : drawScope();
      const aims = place % 2 === 0 ? balancing : consolidating;
      const aim = place < 2 ? (aims[0] as Aim) : pick(aims);
      return create(aim, scope, { audit_type: 'CONTINUOUS', interval, auto_trigger: true });
    },
    single(aim) {
      const aims = aim === 'balance' ? balancing : consolidating;
      return create(pick(aims), drawScope(), { audit_type: 'ONESHOT', force: random() < 0.5 });
    },
  };
}
