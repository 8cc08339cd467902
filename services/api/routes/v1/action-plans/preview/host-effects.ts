import { effectOf } from '#libs/actions';
import type { JsonObject } from '#libs/domain';
import type { ActionView } from '#libs/store';

/** What lies on a host. */
export interface HostUse {
  instances: number;
  vcpus: number;
  /** MiB. */
  memory: number;
  /** GiB. */
  disk: number;
  enabled: boolean;
}

/** A host that the plan touches. */
export interface HostEffect {
  hostname: string;
  /** Null when the decision engine could not be asked. */
  before: HostUse | null;
  after: HostUse | null;
  instances_in: number;
  instances_out: number;
}

/** Instances that a migration takes from one host to another. */
interface Move {
  instance: string;
  from: string | null;
  to: string | null;
}

/**
 * Hosts that the actions touch, by name, before and after all of them. `context` is the data model as a list, null when
 * it is not known. What Nova decides (a migration without a destination) leaves its host and comes to none.
 */
export function hostEffects(actions: readonly ActionView[], context: readonly JsonObject[] | null): HostEffect[] {
  const effects = actions.map(effectOf);
  const moves = effects.flatMap(movesOf);
  const states = effects.flatMap(serviceStateOf);
  const touched = new Set([
    ...moves.flatMap(({ from, to }) => [from, to]).filter((name) => name !== null),
    ...states.map(([hostname]) => hostname),
  ]);
  const before = context === null ? null : usesOf(context, touched);
  const after = context === null || before === null ? null : usesAfter(context, before, moves, states);
  return [...touched].sort().map((hostname) => ({
    hostname,
    before: before?.get(hostname) ?? null,
    after: after?.get(hostname) ?? null,
    instances_in: moves.filter(({ to }) => to === hostname).length,
    instances_out: moves.filter(({ from }) => from === hostname).length,
  }));
}

function movesOf({ actionType, inputParameters }: ReturnType<typeof effectOf>): Move[] {
  if (actionType !== 'migrate') return [];
  const { resource_id: instance, source_node: from, destination_node: to } = inputParameters;
  return [{ instance: String(instance), from: textOf(from), to: textOf(to) }];
}

function serviceStateOf({ actionType, inputParameters }: ReturnType<typeof effectOf>): [string, boolean][] {
  const hostname = textOf(inputParameters.resource_name);
  if (actionType !== 'change_nova_service_state' || hostname === null) return [];
  return [[hostname, inputParameters.state === 'enabled']];
}

function usesOf(context: readonly JsonObject[], hosts: ReadonlySet<string>): Map<string, HostUse> {
  const uses = new Map<string, HostUse>();
  for (const entry of context) {
    const hostname = String(entry.node_hostname);
    if (!hosts.has(hostname)) continue;
    const use = uses.get(hostname) ?? {
      instances: 0,
      vcpus: 0,
      memory: 0,
      disk: 0,
      enabled: entry.node_status === 'enabled',
    };
    uses.set(hostname, entry.server_uuid === undefined ? use : withInstance(use, entry, 1));
  }
  return uses;
}

function usesAfter(
  context: readonly JsonObject[],
  before: ReadonlyMap<string, HostUse>,
  moves: readonly Move[],
  states: readonly [string, boolean][],
): Map<string, HostUse> {
  const after = new Map(before);
  const moved = new Set(moves.map(({ instance }) => instance));
  const instances = new Map(
    context.filter((entry) => moved.has(String(entry.server_uuid))).map((entry) => [String(entry.server_uuid), entry]),
  );
  const add = (hostname: string | null, entry: JsonObject, sign: 1 | -1) => {
    const use = hostname === null ? undefined : after.get(hostname);
    if (hostname !== null && use) after.set(hostname, withInstance(use, entry, sign));
  };
  for (const { instance, from, to } of moves) {
    const entry = instances.get(instance);
    if (!entry) continue;
    add(from, entry, -1);
    add(to, entry, 1);
  }
  for (const [hostname, enabled] of states) {
    const use = after.get(hostname);
    if (use) after.set(hostname, { ...use, enabled });
  }
  return after;
}

function withInstance(use: HostUse, entry: JsonObject, sign: 1 | -1): HostUse {
  return {
    ...use,
    instances: use.instances + sign,
    vcpus: use.vcpus + sign * numberOf(entry.server_vcpus),
    memory: use.memory + sign * numberOf(entry.server_memory),
    disk: use.disk + sign * numberOf(entry.server_disk),
  };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
