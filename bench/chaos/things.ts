import { setTimeout as sleep } from 'node:timers/promises';
import type { RandomSource } from '#libs/domain';
import type { Cloud } from '#libs/openstack';
import { chaosHosts } from './world.ts';

/** Thing that plans change: a server, a volume, a machine, or the compute service of a host. */
export interface Thing {
  kind: 'server' | 'volume' | 'node' | 'service';
  /** Uuid, or for a service its host. */
  id: string;
}

/**
 * Property of a thing that can be changed, as text: host, flavor and status of a server, pool of a volume, power of a
 * node, status of a service.
 */
export type Aspect = 'host' | 'flavor' | 'status' | 'pool' | 'power' | 'service';

/** State of a thing, aspect by aspect. */
export type ThingState = Partial<Record<Aspect, string>>;

/** The things of the world and what is known of them. */
export interface Things {
  /** Takes one of a kind for a plan and what follows from it. Undefined when none is left. */
  take(kind: Thing['kind']): Thing | undefined;
  giveBack(thing: Thing): void;
  /** State at the last look. */
  stateOf(thing: Thing): ThingState;
  note(thing: Thing, state: ThingState): void;
  /** Checks it once it has settled. Null when it does not within `limitMs`. */
  look(thing: Thing, isOver: () => boolean): Promise<ThingState | null>;
  all(): Thing[];
}

const checkMs = 200;
/** Longest that a change that is under way may take to end in the cloud. */
const settleLimitMs = 30_000;

/** Reads every thing once, in peace. */
export async function createThings(cloud: Cloud, random: RandomSource): Promise<Things> {
  const free: Record<Thing['kind'], Thing[]> = { server: [], volume: [], node: [], service: [] };
  const states = new Map<string, ThingState>();
  const keyOf = ({ kind, id }: Thing) => `${kind} ${id}`;

  for (const { uuid } of await cloud.compute.listServers({})) free.server.push({ kind: 'server', id: uuid });
  for (const { uuid } of await cloud.volume.listVolumes()) free.volume.push({ kind: 'volume', id: uuid });
  for (const { uuid } of await cloud.baremetal.listNodes()) free.node.push({ kind: 'node', id: uuid });
  for (const host of chaosHosts.switching) free.service.push({ kind: 'service', id: host });
  const everything = Object.values(free).flat();
  const look = (thing: Thing) => readers[thing.kind](cloud, thing.id);
  for (const thing of everything) states.set(keyOf(thing), (await look(thing)) ?? {});

  return {
    take: (kind) => free[kind].splice(Math.floor(random() * free[kind].length), 1)[0],
    giveBack: (thing) => void free[thing.kind].push(thing),
    stateOf: (thing) => states.get(keyOf(thing)) ?? {},
    note: (thing, state) => void states.set(keyOf(thing), state),
    async look(thing, isOver) {
      const until = performance.now() + settleLimitMs;
      while (performance.now() < until && !isOver()) {
        // The cloud may be away, as the schedule has it.
        const state = await look(thing).catch(() => null);
        if (state !== null) return state;
        await sleep(checkMs);
      }
      return null;
    },
    all: () => everything,
  };
}

/** Null while something is under way. */
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
