import type { RoadefInstance } from './instance.ts';

/**
 * Cost of an assignment, and the hard rules that it breaks (at most one line a rule). Shares nothing with the
 * optimizer.
 */
export interface Evaluation {
  cost: number;
  violations: string[];
}

/** Judges an assignment from the instance alone. */
export function evaluateAssignment(instance: RoadefInstance, assignment: ArrayLike<number>): Evaluation {
  const strange = Array.from(assignment).some((m) => !Number.isInteger(m) || m < 0 || m >= instance.machines);
  if (strange || assignment.length !== instance.processes)
    return { cost: Number.POSITIVE_INFINITY, violations: ['not one known machine a process'] };
  const { used, held } = usage(instance, assignment);
  const violations = [
    ...capacityViolations(instance, held),
    ...conflictViolations(instance, assignment),
    ...spreadViolations(instance, assignment),
    ...dependencyViolations(instance, assignment),
  ];
  const cost = loadCost(instance, used) + balanceCost(instance, used) + moveCost(instance, assignment);
  return { cost, violations };
}

/** Use by machine and resource. `held` includes transient resources that are still occupied at the old machine. */
function usage(instance: RoadefInstance, assignment: ArrayLike<number>): { used: number[][]; held: number[][] } {
  const empty = () => Array.from({ length: instance.machines }, () => new Array<number>(instance.resources).fill(0));
  const used = empty();
  const held = empty();
  for (let process = 0; process < instance.processes; process += 1) {
    const now = assignment[process] as number;
    const old = instance.start[process] as number;
    for (let r = 0; r < instance.resources; r += 1) {
      const need = instance.requirements[process * instance.resources + r] as number;
      (used[now] as number[])[r]! += need;
      (held[now] as number[])[r]! += need;
      if (old !== now && instance.transient[r] === 1) (held[old] as number[])[r]! += need;
    }
  }
  return { used, held };
}

function capacityViolations(instance: RoadefInstance, held: number[][]): string[] {
  for (const [machine, row] of held.entries())
    for (const [r, amount] of row.entries()) {
      const capacity = instance.capacities[machine * instance.resources + r] as number;
      if (amount > capacity) return [`machine ${machine} holds ${amount} of resource ${r}, capacity ${capacity}`];
    }
  return [];
}

function conflictViolations(instance: RoadefInstance, assignment: ArrayLike<number>): string[] {
  const seen = new Set<number>();
  for (let process = 0; process < instance.processes; process += 1) {
    const key = (instance.serviceOf[process] as number) * instance.machines + (assignment[process] as number);
    if (seen.has(key)) return [`two processes of service ${instance.serviceOf[process]} on one machine`];
    seen.add(key);
  }
  return [];
}

/** Returns for each service the set of `places` that its processes use. */
function placesOfServices(instance: RoadefInstance, assignment: ArrayLike<number>, places: Int32Array): Set<number>[] {
  const sets = Array.from({ length: instance.services }, () => new Set<number>());
  for (let process = 0; process < instance.processes; process += 1)
    sets[instance.serviceOf[process] as number]?.add(places[assignment[process] as number] as number);
  return sets;
}

function spreadViolations(instance: RoadefInstance, assignment: ArrayLike<number>): string[] {
  const locations = placesOfServices(instance, assignment, instance.locations);
  const service = locations.findIndex(({ size }, index) => size < (instance.spreads[index] as number));
  return service < 0 ? [] : [`service ${service} uses too few locations`];
}

function dependencyViolations(instance: RoadefInstance, assignment: ArrayLike<number>): string[] {
  const neighbourhoods = placesOfServices(instance, assignment, instance.neighbourhoods);
  for (const [service, needed] of instance.dependencies.entries())
    for (const other of needed)
      for (const place of neighbourhoods[service] ?? [])
        if (!neighbourhoods[other]?.has(place)) return [`service ${service} lacks service ${other} in ${place}`];
  return [];
}

function loadCost(instance: RoadefInstance, used: number[][]): number {
  let cost = 0;
  for (const [machine, row] of used.entries())
    for (const [r, amount] of row.entries()) {
      const safety = instance.safeties[machine * instance.resources + r] as number;
      cost += (instance.loadWeights[r] as number) * Math.max(0, amount - safety);
    }
  return cost;
}

function balanceCost(instance: RoadefInstance, used: number[][]): number {
  let cost = 0;
  for (const [machine, row] of used.entries()) {
    const free = (r: number) => (instance.capacities[machine * instance.resources + r] as number) - (row[r] as number);
    for (const { first, second, target, weight } of instance.balances)
      cost += weight * Math.max(0, target * free(first) - free(second));
  }
  return cost;
}

function moveCost(instance: RoadefInstance, assignment: ArrayLike<number>): number {
  const { weights } = instance;
  const movedOf = new Map<number, number>();
  let cost = 0;
  for (let process = 0; process < instance.processes; process += 1) {
    const old = instance.start[process] as number;
    const now = assignment[process] as number;
    cost += weights.machine * (instance.machineMoveCosts[old * instance.machines + now] as number);
    if (old === now) continue;
    const service = instance.serviceOf[process] as number;
    movedOf.set(service, (movedOf.get(service) ?? 0) + 1);
    cost += weights.process * (instance.processMoveCosts[process] as number);
  }
  return cost + weights.service * Math.max(0, ...movedOf.values());
}
