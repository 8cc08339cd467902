/**
 * An instance of the Google/ROADEF challenge 2012, as in its files. Rows are flat: `requirements[process * resources +
 * r]`.
 */
export interface RoadefInstance {
  resources: number;
  transient: Uint8Array;
  loadWeights: Float64Array;
  machines: number;
  neighbourhoods: Int32Array;
  locations: Int32Array;
  capacities: Float64Array;
  safeties: Float64Array;
  /** machines × machines. */
  machineMoveCosts: Uint16Array | Int32Array;
  services: number;
  spreads: Int32Array;
  /** Services on which each service depends. */
  dependencies: Int32Array[];
  processes: number;
  serviceOf: Int32Array;
  requirements: Float64Array;
  processMoveCosts: Float64Array;
  balances: { first: number; second: number; target: number; weight: number }[];
  weights: { process: number; service: number; machine: number };
  /** Machine of each process at the start. */
  start: Int32Array;
}

const zero = 48;
const nine = 57;
const greatestShort = 65_535;

/** Integers separated by white space. */
class Numbers {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** @throws RangeError at the end of the text */
  next(): number {
    const { bytes } = this;
    let { at } = this;
    let byte = bytes[at]!;
    while (byte < zero || byte > nine) {
      at += 1;
      byte = bytes[at]!;
    }
    if (at >= bytes.length) throw new RangeError('the file ends too early');
    let value = 0;
    while (byte >= zero && byte <= nine) {
      value = value * 10 + byte - zero;
      at += 1;
      byte = bytes[at]!;
    }
    this.at = at;
    return value;
  }

  fill<Target extends { length: number; [index: number]: number }>(
    target: Target,
    from = 0,
    to = target.length,
  ): Target {
    for (let index = from; index < to; index += 1) target[index] = this.next();
    return target;
  }
}

/** Reads the model file and the assignment file of an instance. */
export function readRoadefInstance(model: Uint8Array, assignment: Uint8Array): RoadefInstance {
  const numbers = new Numbers(model);
  const resources = numbers.next();
  const transient = new Uint8Array(resources);
  const loadWeights = new Float64Array(resources);
  for (let r = 0; r < resources; r += 1) {
    transient[r] = numbers.next();
    loadWeights[r] = numbers.next();
  }
  const machines = readMachines(numbers, resources);
  const services = readServices(numbers);
  const processes = readProcesses(numbers, resources);
  const balances = Array.from({ length: numbers.next() }, () => ({
    first: numbers.next(),
    second: numbers.next(),
    target: numbers.next(),
    weight: numbers.next(),
  }));
  const weights = { process: numbers.next(), service: numbers.next(), machine: numbers.next() };
  const start = new Numbers(assignment).fill(new Int32Array(processes.processes));
  return { resources, transient, loadWeights, ...machines, ...services, ...processes, balances, weights, start };
}

function readMachines(numbers: Numbers, resources: number) {
  const machines = numbers.next();
  const neighbourhoods = new Int32Array(machines);
  const locations = new Int32Array(machines);
  const capacities = new Float64Array(machines * resources);
  const safeties = new Float64Array(machines * resources);
  let machineMoveCosts: Uint16Array | Int32Array = new Uint16Array(machines * machines);
  for (let machine = 0; machine < machines; machine += 1) {
    neighbourhoods[machine] = numbers.next();
    locations[machine] = numbers.next();
    numbers.fill(capacities, machine * resources, (machine + 1) * resources);
    numbers.fill(safeties, machine * resources, (machine + 1) * resources);
    for (let at = machine * machines; at < (machine + 1) * machines; at += 1) {
      const cost = numbers.next();
      if (cost > greatestShort && machineMoveCosts instanceof Uint16Array)
        machineMoveCosts = Int32Array.from(machineMoveCosts);
      machineMoveCosts[at] = cost;
    }
  }
  return { machines, neighbourhoods, locations, capacities, safeties, machineMoveCosts };
}

function readServices(numbers: Numbers) {
  const services = numbers.next();
  const spreads = new Int32Array(services);
  const dependencies: Int32Array[] = [];
  for (let service = 0; service < services; service += 1) {
    spreads[service] = numbers.next();
    dependencies.push(numbers.fill(new Int32Array(numbers.next())));
  }
  return { services, spreads, dependencies };
}

function readProcesses(numbers: Numbers, resources: number) {
  const processes = numbers.next();
  const serviceOf = new Int32Array(processes);
  const requirements = new Float64Array(processes * resources);
  const processMoveCosts = new Float64Array(processes);
  for (let process = 0; process < processes; process += 1) {
    serviceOf[process] = numbers.next();
    numbers.fill(requirements, process * resources, (process + 1) * resources);
    processMoveCosts[process] = numbers.next();
  }
  return { processes, serviceOf, requirements, processMoveCosts };
}
