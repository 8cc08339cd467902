import type { BaremetalSnapshot, ComputeSnapshot, RefusedDestination, StorageSnapshot } from '#libs/cluster-model';
import type { JsonObject } from '#libs/domain';
import type { MetricsSource, PastActions } from '#libs/plugin-kit';
import { createDraw } from '#libs/random-worlds';

/** A world on which a strategy is run. */
export interface AssessedWorld {
  name: string;
  /** Hosts and instances. */
  size: number;
  /** Options of the command that reproduce the world. */
  options: string;
  /**
   * Creates the same world each time. @param order seed of the order in which the services list their rows. 0:
   * unchanged.
   */
  input(order: number): WorldInput;
  limits: AuditLimits;
}

/** Input of a run. `history` has no values where the world has none. */
export interface WorldInput {
  snapshot: ComputeSnapshot;
  storage?: StorageSnapshot;
  baremetal?: BaremetalSnapshot;
  history: MetricsSource;
  nowMs: number;
}

/** Limits of an audit: its scope, and instances that rest. */
export interface AuditLimits {
  scope: JsonObject[];
  /** Uuids of instances with a recently failed migration, and of recently moved instances. */
  failedMigrations: string[];
  recentlyMoved: string[];
  /** Moves that Nova refused recently. */
  refusedMoves: RefusedDestination[];
  past: PastActions;
}

/** Names and uuids to draw limits from. */
interface Named {
  instances: readonly string[];
  hosts: readonly string[];
  zones: readonly string[];
}

/** Random limits for a seed. Most worlds have few of them. */
export function drawLimits({ instances, hosts, zones }: Named, seed: number): AuditLimits {
  const draw = createDraw(seed ^ 0xa55e55);
  const some = (share: number) => instances.filter(() => draw.chance(share));
  const name = zones.length > 1 && draw.chance(0.2) ? draw.pick(zones) : null;
  const excluded = draw.chance(0.5) ? some(0.2).map((uuid) => ({ uuid })) : [];
  const scope = name === null ? [{ exclude: [{ instances: excluded }] }] : [{ availability_zones: [{ name }] }];
  return {
    scope: name === null && excluded.length === 0 ? [] : [{ compute: scope }],
    failedMigrations: draw.chance(0.3) ? some(0.1) : [],
    recentlyMoved: draw.chance(0.3) ? some(0.1) : [],
    refusedMoves: hosts.length === 0 ? [] : some(0.1).map((instance) => ({ instance, host: draw.pick(hosts) })),
    past: {
      departures: hosts.length === 0 ? {} : Object.fromEntries(some(0.2).map((uuid) => [uuid, draw.pick(hosts)])),
      disabled: hosts.filter(() => draw.chance(0.1)),
      ...{ woken: hosts.filter(() => draw.chance(0.1)), failures: 0, open: [] },
    },
  };
}

/** Shuffles the lists by a seed (0: no shuffle). Does not change other properties. */
export function inOrder<Rows extends object>(rows: Rows, names: readonly (keyof Rows)[], order: number): Rows {
  if (order === 0) return rows;
  const draw = createDraw(order);
  const shuffled = names.map((name) => {
    const list = rows[name];
    return [name, Array.isArray(list) ? draw.shuffled(list) : list];
  });
  return { ...rows, ...Object.fromEntries(shuffled) };
}
