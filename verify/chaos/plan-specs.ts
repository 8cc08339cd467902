import { randomUUID } from 'node:crypto';
import type { JsonObject, RandomSource } from '#libs/domain';
import type { Aspect, Thing, Things } from './things.ts';
import { chaosHosts, chaosPools } from './world.ts';

/** One action of a plan. */
export interface ActionSpec {
  uuid: string;
  actionType: string;
  inputParameters: JsonObject;
  parents: string[];
  /** Change that the action makes. Absent when it changes nothing. */
  change?: Change;
}

/** Change that an action claims to make to a thing. */
export interface Change {
  thing: Thing;
  aspect: Aspect;
  from: string;
  to: string;
}

/** A live migration. */
export function moveSpec(change: Change, migration_type: 'live' | 'cold' = 'live'): ActionSpec {
  const { thing, from, to } = change;
  const inputParameters = { migration_type, resource_id: thing.id, source_node: from, destination_node: to };
  return { uuid: randomUUID(), actionType: 'migrate', inputParameters, parents: [], change };
}

const shares = { cold: 0.25, thereAndBack: 0.3, failing: 0.15 };
/** Kinds of actions of a plan. A kind's number of entries is its weight. */
const themes = [
  ...repeat('move', 9),
  'resize',
  'resize',
  'stop',
  ...repeat('volume', 3),
  'power',
  'service',
  'service',
  'sleep',
  'nop',
] as const;
type Theme = (typeof themes)[number];

function repeat<const Name extends string>(name: Name, count: number): Name[] {
  return Array.from({ length: count }, () => name);
}

/** Draws plans over all types of action. The things of a plan stay reserved until they are given back. */
export function createPlanSpecs(things: Things, random: RandomSource): () => { specs: ActionSpec[]; taken: Thing[] } {
  const chance = (share: number) => random() < share;
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const other = (items: readonly string[], than: string) => pick(items.filter((item) => item !== than));

  /** A move, and with some probability the move back. */
  function chain(
    there: Change,
    typeAndInput: (change: Change) => Pick<ActionSpec, 'actionType' | 'inputParameters'>,
  ): ActionSpec[] {
    const first: ActionSpec = { uuid: randomUUID(), parents: [], change: there, ...typeAndInput(there) };
    if (!chance(shares.thereAndBack)) return [first];
    const back = { ...there, from: there.to, to: there.from };
    return [first, { uuid: randomUUID(), parents: [first.uuid], change: back, ...typeAndInput(back) }];
  }

  const makers: Record<Theme, (taken: Thing[]) => ActionSpec[]> = {
    move(taken) {
      return withThing('server', taken, (thing, { host = '' }) => {
        const migration_type = chance(shares.cold) ? 'cold' : 'live';
        const there = { thing, aspect: 'host', from: host, to: other(chaosHosts.moving, host) } as const;
        return chain(there, ({ from, to }) => ({
          actionType: 'migrate',
          inputParameters: { migration_type, resource_id: thing.id, source_node: from, destination_node: to },
        }));
      });
    },
    resize(taken) {
      return withThing('server', taken, (thing, { flavor = '' }) => {
        const there = { thing, aspect: 'flavor', from: flavor, to: other(['small', 'large'], flavor) } as const;
        return chain(there, ({ to }) => ({
          actionType: 'resize',
          inputParameters: { resource_id: thing.id, flavor: to },
        }));
      });
    },
    stop(taken) {
      return withThing('server', taken, (thing) => [
        {
          uuid: randomUUID(),
          actionType: 'stop',
          inputParameters: { resource_id: thing.id },
          parents: [],
          change: { thing, aspect: 'status', from: 'ACTIVE', to: 'SHUTOFF' },
        },
      ]);
    },
    volume(taken) {
      return withThing('volume', taken, (thing, { pool = '' }) => {
        const there = { thing, aspect: 'pool', from: pool, to: other(chaosPools, pool) } as const;
        return chain(there, ({ to }) => ({
          actionType: 'volume_migrate',
          inputParameters: { resource_id: thing.id, migration_type: 'migrate', destination_node: to },
        }));
      });
    },
    power(taken) {
      return withThing('node', taken, (thing, { power = '' }) => {
        const there = { thing, aspect: 'power', from: power, to: other(['power on', 'power off'], power) } as const;
        return chain(there, ({ to }) => ({
          actionType: 'change_node_power_state',
          inputParameters: { resource_id: thing.id, state: to === 'power on' ? 'on' : 'off' },
        }));
      });
    },
    service(taken) {
      return withThing('service', taken, (thing, { service = '' }) => {
        const there = { thing, aspect: 'service', from: service, to: other(['enabled', 'disabled'], service) } as const;
        return chain(there, ({ to }) => ({
          actionType: 'change_nova_service_state',
          inputParameters: {
            resource_id: thing.id,
            resource_name: thing.id,
            state: to,
            ...(to === 'disabled' ? { disabled_reason: 'watcher_disabled' } : {}),
          },
        }));
      });
    },
    sleep: () => [plain('sleep', { duration: 20 + Math.floor(random() * 60) })],
    nop: () => [plain('nop', { message: 'chaos' })],
  };

  function withThing(
    kind: Thing['kind'],
    taken: Thing[],
    make: (thing: Thing, state: ReturnType<Things['stateOf']>) => ActionSpec[],
  ): ActionSpec[] {
    const thing = things.take(kind);
    if (!thing) return [];
    taken.push(thing);
    return make(thing, things.stateOf(thing));
  }

  return () => {
    const taken: Thing[] = [];
    const specs: ActionSpec[] = [];
    for (let count = 1 + Math.floor(random() * 3); count > 0; count -= 1) specs.push(...makers[pick(themes)](taken));
    if (specs.length === 0) specs.push(plain('nop', { message: 'nothing was free' }));
    if (chance(shares.failing)) {
      const parents = specs.map(({ uuid }) => uuid);
      specs.push({ ...plain('nop', { message: 'fails', fail_execute: true }), parents });
    }
    return { specs, taken };
  };
}

function plain(actionType: string, inputParameters: JsonObject): ActionSpec {
  return { uuid: randomUUID(), actionType, inputParameters, parents: [] };
}

/** Returns whether the action is made to fail. */
export function isMeantToFail({ inputParameters }: { inputParameters: JsonObject }): boolean {
  return inputParameters.fail_execute === true;
}
