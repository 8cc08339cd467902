import { type MoveWay, moveRefusal, moveRules, movingActionTypes } from '#libs/domain';
import type { PlannedAction } from '#libs/plugin-kit';
import { testUuid } from '#libs/plugin-kit/testing';
import type { WorldFile } from '#libs/world-file';
import { playGraph } from '../../../../tests/play-graph.ts';
import { isUp, resourcesOf, type SimulatedHost, type SimulatedServer } from '../../cloud/entities.ts';
import { NoValidHostError } from '../../errors.ts';
import { selectHost } from '../select-host.ts';
import { cloudOf, type Random } from './random-clouds.ts';

/** The result of a plan. */
export interface Played {
  moves: number;
  /** Actions that the simulated cloud refused, with the reason. */
  refused: string[];
}

/** Reason why Nova does not start, or should not start, this kind of move of the server. Null if it starts. */
function startRefusal(server: SimulatedServer, way: MoveWay, fencedBy: unknown): string | null {
  const { host, vmState, powerState, taskState } = server;
  const wrong = moveRefusal(way, server);
  if (wrong !== null) return `${way} with ${wrong} ${vmState} ${powerState} ${taskState}`;
  if (server.locked) return 'it is locked';
  const state = isUp(host) ? 'up' : 'down';
  if (moveRules[way].sourceService !== state) return `its host is ${state}`;
  const isFenced = host.forcedDown || fencedBy === 'operator';
  return way === 'evacuate' && !isFenced ? 'its host is not fenced' : null;
}

/**
 * Executes a plan on the simulated cloud: actions start and end in a random order that the graph allows, and a
 * migration occupies both hosts until its end.
 */
export function playPlan(world: WorldFile, plan: readonly PlannedAction[], random: Random): Played {
  const context = cloudOf(world);
  const { state, ledger } = context;
  const servers = new Map([...state.servers.values()].map((server) => [testUuid(server.name), server]));
  const hostsById = new Map([...state.hosts.values()].map((host) => [testUuid(`machine ${host.name}`), host]));
  const played: Played = { moves: 0, refused: [] };

  /** Starts a migration or an evacuation. Returns a function that ends it. */
  function move({ actionType, inputParameters: input }: PlannedAction): () => void {
    const server = servers.get(String(input.resource_id)) as SimulatedServer;
    const source = server.host;
    const requested = (state.hosts.get(String(input.destination_node)) ?? null) as SimulatedHost | null;
    const refuse = (why: string) => {
      played.refused.push(`${server.name} from ${source.name} to ${requested?.name ?? 'anywhere'}: ${why}`);
      return () => undefined;
    };
    const way = actionType === 'evacuate' ? 'evacuate' : (input.migration_type as 'live' | 'cold');
    const wrong =
      source.name === input.source_node ? startRefusal(server, way, input.fenced_by) : 'the server does not exist';
    if (wrong !== null) return refuse(wrong);
    try {
      const destination = selectHost({ server, flavor: server.flavor, requested, way }, context);
      ledger.claim(server.uuid, destination, resourcesOf(server.flavor, server));
      played.moves++;
      return () => {
        if (way !== 'evacuate') ledger.release(server.uuid, source);
        source.servers.delete(server);
        destination.servers.add(server);
        server.host = destination;
      };
    } catch (error) {
      if (!(error instanceof NoValidHostError)) throw error;
      return refuse([...error.reasons].map(([filter, count]) => `${filter} ${count}`).join(', '));
    }
  }

  function startAction(action: PlannedAction): () => void {
    const { actionType, inputParameters: input } = action;
    if (movingActionTypes.includes(actionType)) return move(action);
    if (actionType === 'stop') {
      const server = servers.get(String(input.resource_id)) as SimulatedServer;
      server.vmState = 'stopped';
    } else if (actionType === 'change_nova_service_state') {
      const host = state.hosts.get(String(input.resource_name)) as SimulatedHost;
      host.status = input.state === 'enabled' ? 'enabled' : 'disabled';
    } else if (actionType === 'change_node_power_state' && input.state === 'off') {
      const host = hostsById.get(String(input.resource_id)) as SimulatedHost;
      if (host.servers.size > 0) played.refused.push(`${host.name} has servers`);
    }
    return () => undefined;
  }

  const left = playGraph(plan, { start: startAction, choose: (count) => Math.floor(random() * count) });
  if (left.length > 0) played.refused.push(`the graph has a cycle: ${left.length} actions never start`);
  return played;
}
