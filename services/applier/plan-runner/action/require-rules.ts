import { effectOf, hostEffectOf, SafetyRailError } from '#libs/actions';
import { judgeMove, mayRefuse, type RuledHost, type RuledInstance, type RuledMove } from '#libs/cluster-model';
import { type PlacementRule, resizingActionTypes } from '#libs/domain';
import type { Cloud, Server } from '#libs/openstack';
import { type ActionView, enabledRules } from '#libs/store';
import type { PlanRun } from '../plan-run.ts';

/**
 * Checks the operator's rules again before an action moves an instance or reverts a move, since rules and cloud may
 * have changed since planning. Other instances count at the destinations of the remaining moves, so the order of moves
 * does not matter. Actions that move no instance are not checked.
 * @throws SafetyRailError naming the first strict rule that refuses the move
 */
export async function requireRules(run: PlanRun, action: ActionView, cloud: Cloud): Promise<void> {
  const move = moveOf(action);
  if (move === null) return;
  const rules = await run.writes.persist(() => enabledRules(run.deps.store.db));
  const server = rules.length === 0 ? null : await cloud.compute.getServer(move.instance);
  if (server === null) return;
  const instance = ruled(server);
  const own = rules.filter((rule) => mayRefuse(rule, instance));
  if (own.length === 0) return;
  const left = own.find(({ kind }) => kind === 'leave_alone');
  if (left) throw refused(left, `leaves instance ${server.uuid} alone`);
  const [from, to] = [server.host, move.to];
  if (from === null || to === null) throw unnamed(own, server);
  const hosts = await ruledHosts(cloud, own);
  const others = await othersOn(run, server, { cloud, rules: own, from, to });
  const ruledMove = { instance, from: hosts(from), to: hosts(to), others };
  const rule = own.find((each) => judgeMove(each, ruledMove) !== null);
  if (rule) throw refused(rule, `does not let instance ${server.uuid} go to ${to}`);
}

/**
 * Instance and destination of the action. Null for an action that moves none. Nova chooses the host for a new flavor.
 */
function moveOf(action: ActionView): { instance: string; to: string | null } | null {
  const effect = hostEffectOf(action);
  if (effect !== null) return effect.kind === 'move' ? effect : null;
  const { actionType, inputParameters } = effectOf(action);
  return resizingActionTypes.includes(actionType) ? { instance: String(inputParameters.resource_id), to: null } : null;
}

/** If Nova chooses the host, no rule can be checked. Plans that follow rules name the destination. */
function unnamed([rule]: readonly PlacementRule[], { uuid }: Server): SafetyRailError {
  return refused(rule as PlacementRule, `is about instance ${uuid}, and the action leaves its destination to Nova`);
}

function refused({ name, kind }: PlacementRule, what: string): SafetyRailError {
  return new SafetyRailError('placement_rule', `The operator's rule "${name}" (${kind}) ${what}`);
}

function ruled({ uuid, name, projectId, metadata, flavor }: Server): RuledInstance {
  return { uuid, name, projectId, metadata, flavorName: flavor.name };
}

/** Zones and aggregates of hosts. Read only when a rule needs them. */
async function ruledHosts(cloud: Cloud, rules: readonly PlacementRule[]): Promise<(hostname: string) => RuledHost> {
  const hasHostRules = rules.some(({ hosts }) => hosts !== null);
  const [services, aggregates] = hasHostRules
    ? await Promise.all([cloud.compute.listServices(), cloud.compute.listAggregates()])
    : [[], []];
  return (hostname) => ({
    hostname,
    zone: services.find(({ host }) => host === hostname)?.zone ?? '',
    aggregates: aggregates.filter(({ hosts }) => hosts.includes(hostname)).map(({ name }) => name),
  });
}

interface Ends {
  cloud: Cloud;
  rules: readonly PlacementRule[];
  from: string;
  to: string;
}

/** Instances that will share one of the two hosts after the rest of the plan. */
async function othersOn(run: PlanRun, own: Server, { cloud, rules, from, to }: Ends): Promise<RuledMove['others']> {
  if (!rules.some(({ kind }) => kind === 'keep_together' || kind === 'keep_apart')) return [];
  const [listed, rows] = await Promise.all([
    Promise.all([from, to].map((host) => cloud.compute.listServers({ host }))),
    run.writes.persist(() => run.deps.store.db.actions.listByPlan(run.plan.uuid)),
  ]);
  const servers = new Map(listed.flat().map((server) => [server.uuid, server]));
  const destinations = openMoves(rows);
  for (const [uuid, host] of destinations) {
    if ((host !== from && host !== to) || servers.has(uuid)) continue;
    const server = await cloud.compute.getServer(uuid);
    if (server !== null) servers.set(uuid, server);
  }
  servers.delete(own.uuid);
  return [...servers.values()].flatMap((server) => {
    const host = destinations.get(server.uuid) ?? server.host;
    if (host !== from && host !== to) return [];
    return [{ instance: ruled(server), on: host === to ? ('to' as const) : ('from' as const) }];
  });
}

/** Destinations of the moves that have not ended yet. */
function openMoves(rows: readonly ActionView[]): Map<string, string> {
  const moves = new Map<string, string>();
  for (const row of rows) {
    const effect = row.state === 'PENDING' || row.state === 'ONGOING' ? hostEffectOf(row) : null;
    if (effect?.kind === 'move' && effect.to !== null) moves.set(effect.instance, effect.to);
  }
  return moves;
}
