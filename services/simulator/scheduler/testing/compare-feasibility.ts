import type { ComputeSnapshot } from '#libs/cluster-model';
import { createWhatIf } from '#libs/cluster-model';
import { usualWay } from '#libs/domain';
import { isUp, type SimulatedHost, type SimulatedServer } from '../../cloud/entities.ts';
import type { FilterContext } from '../host-filter.ts';
import { hostFilters } from '../host-filters.ts';

/** The verdicts of the model and of the simulated scheduler on all servers and hosts of a cloud. */
export interface Comparison {
  /** Pairs with different results. */
  different: string[];
  /** Pairs admitted by both. */
  admitted: number;
  /** Pairs refused by a single filter, by the name of the filter. */
  onlyBecauseOf: Map<string, number>;
}

/** The model's constraints for states of a server or its host in which no move starts. */
const statesThatHold = new Set(['instance-state', 'instance-busy', 'source-down']);

/** Uuids of the servers in its hints. */
function namedIn({ schedulerHints: { different_host = [], same_host = [] } }: SimulatedServer): string[] {
  return [...different_host, ...same_host];
}

/** The filter for each constraint that prevents a move of the server. */
const filterThatHolds: Record<string, string> = {
  'volume-bound': 'LocalVolumes',
  'port-accelerator': 'PciPassthroughFilter',
  'port-device': 'PciPassthroughFilter',
  'port-resources': 'PciPassthroughFilter',
  'hint-query': 'JsonFilter',
  'hint-near-host': 'SimpleCIDRAffinityFilter',
};

/** Compares both for every server that may move. `uuidOf` returns its uuid in the snapshot. */
export function compareFeasibility(
  snapshot: ComputeSnapshot,
  context: FilterContext,
  uuidOf: (server: SimulatedServer) => string,
): Comparison {
  const model = createWhatIf(snapshot);
  const onlyBecauseOf = new Map(hostFilters.map(({ name }) => [name, 0]));
  const result: Comparison = { different: [], admitted: 0, onlyBecauseOf };
  const isNamed = new Set([...context.state.servers.values()].flatMap(namedIn));
  const count = (name: string) => onlyBecauseOf.set(name, (onlyBecauseOf.get(name) ?? 0) + 1);

  function compare(server: SimulatedServer, instance: number, hostname: string, row: number): void {
    const host = context.state.hosts.get(hostname) as SimulatedHost;
    const request = { server, flavor: server.flavor, requested: host, way: usualWay(server) ?? undefined };
    const refusing = hostFilters.filter((filter) => !filter.passes(host, request, context)).map(({ name }) => name);
    if (refusing.length === 1) count(String(refusing[0]));
    const refusal = model.refusal(instance, row);
    if (refusal === null && refusing.length === 0) result.admitted++;
    if ((refusal === null) === (refusing.length === 0)) return;
    // Nova applies only the hints of the moved server.
    if (refusal?.startsWith('hint-') && isNamed.has(server.uuid)) return;
    result.different.push(`${server.name} to ${hostname}: ${refusal ?? 'admitted'} / ${refusing.join() || 'admitted'}`);
  }

  for (const server of context.state.servers.values()) {
    const instance = model.instanceRow(uuidOf(server)) as number;
    const immovable = model.immovable(instance);
    const starts = isUp(server.host) && usualWay(server) !== null;
    if (!starts && immovable === null) result.different.push(`${server.name}: movable / Nova does not start`);
    if (starts && statesThatHold.has(String(immovable)))
      result.different.push(`${server.name}: ${immovable} / movable`);
    const alone = filterThatHolds[String(immovable)];
    if (alone !== undefined) count(alone);
    if (immovable !== null) continue;
    for (const [row, { hostname }] of snapshot.hostInfo.entries()) compare(server, instance, hostname, row);
  }
  return result;
}
