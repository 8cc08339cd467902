import fc from 'fast-check';
import { Random } from '../kernel/random.ts';
import { buildGroups, type GroupInput } from '../problem/build-groups.ts';
import type { HostTerms, Problem } from '../problem/problem.ts';

/** Sizes of a random problem. The rest follows from the seed. */
export interface RandomShape {
  seed: number;
  hosts: number;
  items: number;
  columns: number;
  transientColumns: number;
}

export const anyShape: fc.Arbitrary<RandomShape> = fc.record({
  seed: fc.nat(1_000_000),
  hosts: fc.integer({ min: 2, max: 6 }),
  items: fc.integer({ min: 1, max: 16 }),
  columns: fc.integer({ min: 2, max: 4 }),
  transientColumns: fc.integer({ min: 0, max: 2 }),
});

const classes = 2;

function floats(length: number, make: (index: number) => number): Float64Array {
  return Float64Array.from({ length }, (_, index) => make(index));
}

function ints(length: number, make: (index: number) => number): Int32Array {
  return Int32Array.from({ length }, (_, index) => make(index));
}

/** Groups of up to four items whose rules the homes keep. */
function randomGroups(home: Int32Array, random: Random, domainOf: Int32Array): GroupInput[] {
  const groups: GroupInput[] = [];
  for (let first = 0; first < home.length; ) {
    const size = Math.min(1 + random.below(4), home.length - first);
    const members = Array.from({ length: size }, (_, index) => first + index);
    const hosts = new Set(members.map((item) => home[item]));
    groups.push({ members, apart: hosts.size === size, spread: 0 });
    first += size;
  }
  const domains = groups.map(({ members }) => new Set(Array.from(members, (item) => domainOf[home[item]!]!)));
  return groups.map((group, index) => ({
    ...group,
    needs: groups.flatMap((_, other) =>
      random.below(3) === 0 && [...domains[index]!].every((domain) => domains[other]!.has(domain)) ? [other] : [],
    ),
  }));
}

/** Places of one flavor, which needs the first column, and prices of hosts in use. */
function randomTerms(random: Random, hosts: number, columns: number): HostTerms {
  return {
    slotPrices: Float64Array.of(random.below(5)),
    slotNeeds: floats(columns, (k) => (k === 0 ? 7 : 0)),
    inUsePrices: floats(hosts, () => random.below(30)),
    squarePrices: new Float64Array(columns),
  };
}

/** A small problem with every kind of term, whole numbers, and homes that keep all rules. */
export function randomProblem({ seed, hosts, items, columns, transientColumns }: RandomShape): Problem {
  const random = new Random(seed);
  const home = ints(items, () => random.below(hosts));
  // The last column has uses of both signs and no limit, as a balance between two resources has.
  const use = floats(items * columns, (at) => random.below(20) - (at % columns === columns - 1 ? 10 : 0));
  const base = floats(hosts * columns, () => -random.below(40));
  const load = Float64Array.from(base);
  home.forEach((host, item) => {
    for (let k = 0; k < columns; k += 1) load[host * columns + k]! += use[item * columns + k]!;
  });
  const roomless = (at: number) => at % columns === columns - 1;
  const limit = floats(base.length, (at) => (roomless(at) ? Number.POSITIVE_INFINITY : load[at]! + random.below(30)));
  const locationOf = ints(hosts, () => random.below(2));
  const domainOf = ints(hosts, () => random.below(3));
  const groups = randomGroups(home, random, domainOf).map((group) => ({
    ...group,
    spread: new Set(Array.from(group.members, (item) => locationOf[home[item]!])).size - random.below(2),
  }));
  return {
    hosts,
    items,
    columns,
    transientColumns: Math.min(transientColumns, columns - 1),
    prices: floats(columns, () => random.below(4)),
    use,
    base,
    limit,
    home,
    fixed: Uint8Array.from({ length: items }, () => (random.below(8) === 0 ? 1 : 0)),
    moveCost: floats(items, () => random.below(5)),
    classOf: ints(hosts, () => random.below(classes)),
    classes,
    distance: floats(classes * classes, () => random.below(6)),
    groups: buildGroups({ groups, locationOf, domainOf, awayCost: random.below(4) }, items, hosts),
    terms: random.below(2) === 0 ? null : randomTerms(random, hosts, columns),
  };
}
