import { buildGroups, type Problem, sharedBytes, sharedFloats, sharedInts } from '#libs/optimizer';
import type { RoadefInstance } from './instance.ts';

/** Converts an instance to a placement problem: transient resources first, then the others, then the balances. */
export function toProblem(instance: RoadefInstance): Problem {
  const { machines, processes, resources, balances } = instance;
  const order = resourceOrder(instance);
  const columns = resources + balances.length;
  const home = sharedInts(processes);
  home.set(instance.start);
  const moveCost = sharedFloats(processes);
  for (let process = 0; process < processes; process += 1)
    moveCost[process] = instance.weights.process * (instance.processMoveCosts[process] as number);
  const prices = sharedFloats(columns);
  prices.set([...order.map((r) => instance.loadWeights[r] as number), ...balances.map(({ weight }) => weight)]);
  return {
    hosts: machines,
    items: processes,
    columns,
    transientColumns: order.filter((r) => instance.transient[r] === 1).length,
    prices,
    use: useOf(instance, order),
    ...hostColumns(instance, order),
    home,
    fixed: sharedBytes(processes),
    moveCost,
    ...distances(instance),
    groups: groupsOf(instance),
    terms: null,
  };
}

function resourceOrder({ resources, transient }: RoadefInstance): number[] {
  const all = Array.from({ length: resources }, (_, r) => r);
  return [...all.filter((r) => transient[r] === 1), ...all.filter((r) => transient[r] !== 1)];
}

function useOf({ processes, resources, requirements, balances }: RoadefInstance, order: number[]): Float64Array {
  const columns = order.length + balances.length;
  const use = sharedFloats(processes * columns);
  for (let process = 0; process < processes; process += 1) {
    const need = (r: number) => requirements[process * resources + r] as number;
    order.forEach((r, k) => {
      use[process * columns + k] = need(r);
    });
    balances.forEach(({ first, second, target }, index) => {
      use[process * columns + resources + index] = need(second) - target * need(first);
    });
  }
  return use;
}

function hostColumns(instance: RoadefInstance, order: number[]): { base: Float64Array; limit: Float64Array } {
  const { machines, resources, capacities, safeties, balances } = instance;
  const columns = order.length + balances.length;
  const base = sharedFloats(machines * columns);
  const limit = sharedFloats(machines * columns).fill(Number.POSITIVE_INFINITY);
  for (let machine = 0; machine < machines; machine += 1) {
    const capacity = (r: number) => capacities[machine * resources + r] as number;
    order.forEach((r, k) => {
      const safety = safeties[machine * resources + r] as number;
      base[machine * columns + k] = -safety;
      limit[machine * columns + k] = capacity(r) - safety;
    });
    balances.forEach(({ first, second, target }, index) => {
      base[machine * columns + resources + index] = target * capacity(first) - capacity(second);
    });
  }
  return { base, limit };
}

/**
 * Machines of one location and neighbourhood form a class, if the costs between machines allow it. Otherwise each
 * machine is a class.
 */
function distances(instance: RoadefInstance): Pick<Problem, 'classOf' | 'classes' | 'distance'> {
  const { machines, machineMoveCosts, weights } = instance;
  const places = new Map<string, number>();
  const classOf = sharedInts(machines);
  for (let machine = 0; machine < machines; machine += 1) {
    const key = `${instance.locations[machine]}/${instance.neighbourhoods[machine]}`;
    if (!places.has(key)) places.set(key, places.size);
    classOf[machine] = places.get(key) as number;
  }
  const byPlace = distancesOf(instance, classOf, places.size);
  if (byPlace !== null) return { classOf, classes: places.size, distance: byPlace };
  const distance = sharedFloats(machines * machines);
  for (let at = 0; at < distance.length; at += 1) distance[at] = weights.machine * (machineMoveCosts[at] as number);
  return { classOf: classOf.map((_, machine) => machine), classes: machines, distance };
}

/** Null when the machines of a class differ. */
function distancesOf(instance: RoadefInstance, classOf: Int32Array, classes: number): Float64Array | null {
  const { machines, machineMoveCosts, weights } = instance;
  const distance = sharedFloats(classes * classes).fill(-1);
  for (let from = 0; from < machines; from += 1) {
    const row = (classOf[from] as number) * classes;
    for (let to = 0; to < machines; to += 1) {
      const cost = weights.machine * (machineMoveCosts[from * machines + to] as number);
      const known = distance[row + (classOf[to] as number)] as number;
      if (from === to || known === cost) continue;
      if (known >= 0) return null;
      distance[row + (classOf[to] as number)] = cost;
    }
  }
  return distance.map((cost) => Math.max(0, cost));
}

function groupsOf(instance: RoadefInstance): Problem['groups'] {
  const members: number[][] = Array.from({ length: instance.services }, () => []);
  instance.serviceOf.forEach((service, process) => {
    members[service]?.push(process);
  });
  const groups = members.map((list, service) => ({
    members: list,
    apart: list.length > 1,
    spread: instance.spreads[service] as number,
    needs: instance.dependencies[service] as Int32Array,
  }));
  const { locations, neighbourhoods, processes, machines, weights } = instance;
  return buildGroups(
    { groups, locationOf: locations, domainOf: neighbourhoods, awayCost: weights.service },
    processes,
    machines,
  );
}
