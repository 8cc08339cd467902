import { InvalidInputError } from '#libs/domain';
import {
  buildGroups,
  type GroupInput,
  type Problem,
  Random,
  sharedBytes,
  sharedFloats,
  sharedInts,
} from '#libs/optimizer';

/** Size of a generated cloud. */
export interface CloudSize {
  hosts: number;
  instances: number;
  seed: number;
}

/** vcpus and GiB of memory and disk of each flavor, and how often it is drawn. */
const flavors = [
  { vcpus: 1, memory: 2, disk: 20, share: 34 },
  { vcpus: 2, memory: 4, disk: 30, share: 28 },
  { vcpus: 4, memory: 8, disk: 50, share: 20 },
  { vcpus: 4, memory: 32, disk: 50, share: 8 },
  { vcpus: 8, memory: 16, disk: 90, share: 7 },
  { vcpus: 8, memory: 64, disk: 90, share: 3 },
];
const shapes = [
  { vcpus: 96, memory: 384, disk: 4000 },
  { vcpus: 64, memory: 512, disk: 4000 },
];
const hotPart = 0.8;
/** Hinges of a balance: at the mean and at these shares of the capacity above it. */
const steps = [0, 0.05, 0.1, 0.2];
const racks = 10;
const mostFilled = 0.95;
const mostPerHost = 20;
/** Columns: room of three resources, four loads above the hot limit, cpu above its hinges, memory above its mean. */
const room = 3;
const loads = 4;
const cloudColumns = room + loads + steps.length + 1;
const hotPrice = 40;
const balancePrice = 4;

function drawFlavor(random: Random) {
  let drawn = random.below(flavors.reduce((sum, { share }) => sum + share, 0));
  return flavors.find(({ share }) => {
    drawn -= share;
    return drawn < 0;
  })!;
}

/**
 * Draws instances on random hosts with room. A third of the hosts is chosen twice as often, so that loads are uneven.
 * @throws InvalidInputError for more instances than surely find room
 */
function drawInstances({ hosts, instances }: CloudSize, random: Random) {
  if (instances > mostPerHost * hosts)
    throw new InvalidInputError('--instances', `must be at most ${mostPerHost} for each host`);
  const free = Array.from({ length: hosts }, (_, host) => ({ ...shapes[host % shapes.length]! }));
  for (const shape of free) {
    shape.vcpus *= mostFilled;
    shape.memory *= mostFilled;
  }
  const drawn: { host: number; uses: number[] }[] = [];
  for (let left = instances; left > 0; left -= 1) {
    const { vcpus, memory, disk } = drawFlavor(random);
    let host = random.below(3) > 0 ? random.below(hosts) : random.below(Math.ceil(hosts / 3));
    while (free[host]!.vcpus < vcpus || free[host]!.memory < memory) host = random.below(hosts);
    free[host]!.vcpus -= vcpus;
    free[host]!.memory -= memory;
    const part = () => random.below(100) / 100;
    drawn.push({
      host,
      uses: [vcpus, memory, disk, vcpus * part(), memory * part(), 4 * vcpus * part(), vcpus * part()],
    });
  }
  return drawn;
}

/** Pairs and triples that must stay apart, among every tenth instance. */
export function drawGroups(homes: readonly number[], random: Random): GroupInput[] {
  const groups: GroupInput[] = [];
  for (let first = 0; first + 2 < homes.length; first += 10 + random.below(20)) {
    const members = [first, first + 1, first + 2];
    if (new Set(members.map((item) => homes[item])).size === members.length) groups.push({ members, apart: true });
  }
  return groups;
}

/**
 * A generated cloud with every kind of term: room, hot spots of four loads, balance of cpu and memory, groups that stay
 * apart, costs of moves by memory and distance, and with `places` missing places for a large flavor and hosts in use.
 */
export function cloudProblem(size: CloudSize, places: boolean): Problem {
  const { hosts, instances } = size;
  const random = new Random(size.seed);
  const drawn = drawInstances(size, random);
  const use = sharedFloats(instances * cloudColumns);
  const moveCost = sharedFloats(instances);
  const home = sharedInts(instances);
  const means = [0, 0];
  drawn.forEach(({ host, uses }, item) => {
    home[item] = host;
    moveCost[item] = 0.05 * uses[1]!;
    means[0]! += uses[3]! / hosts;
    means[1]! += uses[4]! / hosts;
    use.set([...uses, ...steps.map(() => uses[3]!), uses[4]!], item * cloudColumns);
  });
  const base = sharedFloats(hosts * cloudColumns);
  const limit = sharedFloats(hosts * cloudColumns).fill(Number.POSITIVE_INFINITY);
  for (let host = 0; host < hosts; host += 1) {
    const { vcpus, memory, disk } = shapes[host % shapes.length]!;
    const hot = [vcpus, memory, 4 * vcpus, vcpus].map((capacity) => -hotPart * capacity);
    const hinges = steps.map((step) => -(means[0]! + step * vcpus));
    base.set([0, 0, 0, ...hot, ...hinges, -means[1]!], host * cloudColumns);
    limit.set([vcpus, memory, disk], host * cloudColumns);
  }
  const prices = sharedFloats(cloudColumns);
  prices.set([0, 0, 0, hotPrice, hotPrice, hotPrice, hotPrice, ...steps.map(() => balancePrice), balancePrice]);
  const classOf = sharedInts(hosts).map((_, host) => host % racks);
  const distance = sharedFloats(racks * racks).map((_, at) => (at % racks === Math.floor(at / racks) ? 0 : 0.2));
  const slotNeeds = sharedFloats(cloudColumns);
  slotNeeds.set([16, 64]);
  return {
    hosts,
    items: instances,
    columns: cloudColumns,
    transientColumns: 0,
    prices,
    use,
    base,
    limit,
    home,
    fixed: sharedBytes(instances).map((_, item) => (item % 50 === 0 ? 1 : 0)),
    moveCost,
    classOf,
    classes: racks,
    distance,
    groups: buildGroups({ groups: drawGroups(Array.from(home), random), locationOf: classOf }, instances, hosts),
    terms: places
      ? {
          slotPrices: Float64Array.of(2),
          slotNeeds,
          inUsePrices: sharedFloats(hosts).fill(5),
          squarePrices: sharedFloats(cloudColumns),
        }
      : null,
  };
}
