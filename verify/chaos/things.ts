import { setTimeout as sleep } from 'node:timers/promises';
import type { RandomSource } from '#libs/domain';
import type { Cloud } from '#libs/openstack';
import { chaosHosts } from './world.ts';

/** An object that plans change: a server, a volume, a node, or the compute service of a host. */
export interface Thing {
  kind: 'server' | 'volume' | 'node' | 'service';
  /** Uuid, or for a service its host. */
  id: string;
}

/**
 * A changeable property as text: host, flavor and status of a server, pool of a volume, power of a node, status of a
 * service.
 */
export type Aspect = 'host' | 'flavor' | 'status' | 'pool' | 'power' | 'service';

/** State of a thing, by property. */
export type ThingState = Partial<Record<Aspect, string>>;

/** The things of the world with their known states. */
export interface Things {
  /** Reserves a thing of this kind and its dependents for a plan. Undefined when none is free. */
  take(kind: Thing['kind']): Thing | undefined;
  giveBack(thing: Thing): void;
  /** Last observed state. */
  stateOf(thing: Thing): ThingState;
  note(thing: Thing, state: ThingState): void;
  /** Reads the state once it has settled. Null when it does not settle within `limitMs`. */
  read(thing: Thing, isOver: () => boolean): Promise<ThingState | null>;
  all(): Thing[];
}

const checkMs = 200;
/** Longest time that a running change may take in the cloud. */
const settleLimitMs = 30_000;

/** Reads every thing once while nothing is disturbed. */
export async function createThings(cloud: Cloud, random: RandomSource): Promise<Things> {
  const free: Record<Thing['kind'], Thing[]> = { server: [], volume: [], node: [], service: [] };
  const states = new Map<string, ThingState>();
  const keyOf = ({ kind, id }: Thing) => `${kind} ${id}`;

  for (const { uuid } of await cloud.compute.listServers({})) free.server.push({ kind: 'server', id: uuid });
  for (const { uuid } of await cloud.volume.listVolumes()) free.volume.push({ kind: 'volume', id: uuid });
  for (const { uuid } of await cloud.baremetal.listNodes()) free.node.push({ kind: 'node', id: uuid });
  for (const host of chaosHosts.switching) free.service.push({ kind: 'service', id: host });
  const everything = Object.values(free).flat();
  const read = (thing: Thing) => readers[thing.kind](cloud, thing.id);
  for (const thing of everything) states.set(keyOf(thing), (await read(thing)) ?? {});

  return {
    take: (kind) => free[kind].splice(Math.floor(random() * free[kind].length), 1)[0],
    giveBack: (thing) => void free[thing.kind].push(thing),
    stateOf: (thing) => states.get(keyOf(thing)) ?? {},
    note: (thing, state) => void states.set(keyOf(thing), state),
    async read(thing, isOver) {
      const until = performance.now() + settleLimitMs;
      while (performance.now() < until && !isOver()) {
        // The schedule may have stopped the cloud.
        const state = await read(thing).catch(() => null);
        if (state !== null) return state;
        await sleep(checkMs);
      }
      return null;
    },
    all: () => everything,
  };
}

/** Null while a change runs. */
const readers: Record<Thing['kind'], (cloud: Cloud, id: string) => Promise<ThingState | null>> = {
  async server({ compute }, id) {
    const server = await compute.getServer(id);
    if (!server || server.taskState !== null) return null;
    return { host: server.host ?? '', flavor: server.flavor.name, status: server.status };
  },
  async volume({ volume }, id) {
    const found = await volume.getVolume(id);
    const isIdle = found && [null, 'success', 'error'].includes(found.migrationStatus);
    return isIdle ? { pool: found.host ?? '' } : null;
  },
  async node({ baremetal }, id) {
    const node = await baremetal.getNode(id);
    return node && node.targetPowerState === null ? { power: node.powerState ?? '' } : null;
  },
  async service({ compute }, id) {
    const service = (await compute.listServices()).find(({ host }) => host === id);
    return service ? { service: service.status } : null;
  },
};
