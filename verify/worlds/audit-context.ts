import type { RefusedDestination } from '#libs/cluster-model';
import type { JsonObject } from '#libs/domain';
import type { PastActions } from '#libs/plugin-kit';
import type { CrookedWorld } from '#libs/random-worlds';
import { createDraw, type Draw } from '#libs/random-worlds';
import { drawRules, type OperatorRules } from './operator-judge.ts';

/** Inputs of an audit of a world in addition to the cloud. */
export interface AuditContext {
  scope: JsonObject[];
  /** Hosts in the scope. */
  hosts: Set<string>;
  /** Servers excluded by the scope. */
  excluded: Set<string>;
  /** Servers with a failed or recent migration. An operator's order moves them nevertheless. */
  heldBack: Set<string>;
  failedMigrations: string[];
  /** Moves that Nova recently refused, of one server in ten. */
  refusedMoves: RefusedDestination[];
  /** Effects of earlier plans. */
  past: PastActions;
  recentlyMoved: string[];
  rules: OperatorRules;
}

interface Scoped {
  scope: JsonObject[];
  hosts: Set<string>;
  excluded: Set<string>;
}

/** One zone, or all but some servers, or everything. */
function drawScope({ services, servers }: CrookedWorld, draw: Draw): Scoped {
  const all = new Set(services.map(({ host }) => host));
  if (draw.chance(0.2)) {
    const name = draw.pick(['az1', 'az2']);
    const hosts = new Set(services.filter(({ zone }) => zone === name).map(({ host }) => host));
    return { scope: [{ compute: [{ availability_zones: [{ name }] }] }], hosts, excluded: new Set() };
  }
  const uuids = draw.chance(0.3) ? servers.filter(() => draw.chance(0.1)).map(({ uuid }) => uuid) : [];
  const exclude = [{ instances: uuids.map((uuid) => ({ uuid })) }];
  return { scope: uuids.length > 0 ? [{ compute: [{ exclude }] }] : [], hosts: all, excluded: new Set(uuids) };
}

/** Draws scope, exclusions, rules, and recent failures and moves. Most worlds have few of them. */
export function auditContextOf(world: CrookedWorld): AuditContext {
  const draw = createDraw(world.seed ^ 0xc1c);
  const { scope, hosts, excluded } = drawScope(world, draw);
  const some = (share: number) => world.servers.filter(() => draw.chance(share)).map(({ uuid }) => uuid);
  const failedMigrations = draw.chance(0.3) ? some(0.1) : [];
  const recentlyMoved = draw.chance(0.3) ? some(0.1) : [];
  const rules = drawRules(world, draw);
  const names = world.services.map(({ host }) => host);
  const departures = Object.fromEntries(some(0.2).map((uuid) => [uuid, draw.pick(names)]));
  const disabled = names.filter(() => draw.chance(0.1));
  const refusedMoves = some(0.1).map((instance) => ({ instance, host: draw.pick(names) }));
  const past = { departures, disabled, woken: names.filter(() => draw.chance(0.1)), failures: 0, open: [] };
  return {
    ...{ scope, hosts, excluded, failedMigrations, refusedMoves, past, recentlyMoved, rules },
    heldBack: new Set([...failedMigrations, ...recentlyMoved]),
  };
}
