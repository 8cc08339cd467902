import { buildGroups, type Problem, Random, sharedBytes, sharedFloats, sharedInts } from '#libs/optimizer';
import { drawGroups } from './optimizer-problem.ts';

/**
 * Size of the problem that counts evaluations: that of the larger public instances of the Google/ROADEF challenge 2012.
 */
export const kernelSize = { hosts: 100, instances: 5000, resources: 12 };
/** Most spare room of a host at the start, and the share of its capacity from which it pays. */
const mostSpare = 0.3;
const safePart = 0.85;
/** Uses are powers of exponential draws: many small ones, few large ones. */
const powers = [1.5, 2];
const meanUse = 100;
const price = 10;
const locations = 10;

/**
 * Twelve resources, each with a limit and a price above its safe part. About 87 % of the room and all of the safe room
 * is in use. All numbers are whole. Homes are drawn before capacities, so that the start keeps all limits.
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
