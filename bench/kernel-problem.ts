import { buildGroups, type Problem, Random, sharedBytes, sharedFloats, sharedInts } from '#libs/optimizer';
import { drawGroups } from './optimizer-problem.ts';

/**
 * Size of the problem with which evaluations are counted: that of the larger public instances of the Google/ROADEF
 * challenge 2012.
 */
export const kernelSize = { hosts: 100, instances: 5000, resources: 12 };
/** A host has up to so much more room than it needs at the start, and pays from so much of its capacity on. */
const mostSpare = 0.3;
const safePart = 0.85;
/** Uses are powers of exponential draws: many small ones, few large ones. */
const powers = [1.5, 2];
const meanUse = 100;
const price = 10;
const locations = 10;

/**
 * Twelve resources, each with a limit and a price above its safe part: about 87 % of all room is in use, and as much as
 * is safe. All numbers are whole. Homes are drawn first and capacities after them, so that the start keeps all limits.
 */
export function kernelProblem(seed: number): Problem {
  const { hosts, instances, resources: columns } = kernelSize;
  const random = new Random(seed);
  const home = sharedInts(instances).map(() => random.below(hosts));
  const use = sharedFloats(instances * columns).map((_, at) =>
    Math.ceil(meanUse * random.exponential() ** powers[at % powers.length]!),
  );
  const load = new Float64Array(hosts * columns);
  for (let at = 0; at < use.length; at += 1) {
    const item = Math.floor(at / columns);
    load[home[item]! * columns + (at % columns)]! += use[at]!;
  }
  const capacity = load.map((amount) => Math.ceil(amount * (1 + mostSpare * (random.below(1000) / 1000))));
  const base = sharedFloats(load.length).map((_, at) => -Math.ceil(safePart * capacity[at]!));
  const locationOf = sharedInts(hosts).map((_, host) => host % locations);
  return {
    hosts,
    items: instances,
    columns,
    transientColumns: 0,
    prices: sharedFloats(columns).fill(price),
    use,
    base,
    limit: capacity.map((most, at) => most + base[at]!),
    home,
    fixed: sharedBytes(instances),
    moveCost: sharedFloats(instances).fill(price),
    classOf: locationOf,
    classes: locations,
    distance: sharedFloats(locations * locations),
    groups: buildGroups({ groups: drawGroups(Array.from(home), random), locationOf }, instances, hosts),
    terms: null,
  };
}
