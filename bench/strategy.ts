import type { BaremetalSnapshot, ComputeSnapshot, StorageSnapshot } from '#libs/cluster-model';
import { InvalidInputError, type JsonObject, silentLogger } from '#libs/domain';
import { plannerCatalogue } from '#libs/planners';
import {
  createScoringReader,
  executeStrategy,
  type MetricsReader,
  type PastActions,
  type StrategyManifest,
  type StrategyPlugin,
  scoringEnginesOf,
  validateParameters,
} from '#libs/plugin-kit';
import { scoringCatalogue } from '#libs/scoring';
import { strategyCatalogue } from '#libs/strategies';
import { benchArguments } from './arguments.ts';
import { crookedLoads, crookedMetrics, hotPercent } from './crooked-metrics.ts';
import { crookedSnapshot } from './crooked-world.ts';
import { type BenchGoal, type BenchResult, finishBench, rounded } from './report.ts';
import { isUp, seededRandom, syntheticBaremetal, syntheticStorage } from './synthetic-world.ts';

const scoring = createScoringReader(async () => scoringEnginesOf(scoringCatalogue));
const limits = { parallelPerSourceHost: 2, parallelPerDestinationHost: 2, parallelMigrations: 10 };

/** Default size of the cloud and default seed. */
export const strategyBenchDefaults = { hosts: 1000, instances: 20_000, seed: 1 };

/** Up to this number of hosts, a strategy with its planner must keep the shorter time. */
export const ordinaryHosts = 1000;
/** Share of the hosts that are hot. Consolidations relieve them first, which costs processor time. */
const hotShare = 0.02;
const limitMs = { ordinary: 1000, large: 10_000 };
const limitMib = 1024;
const runs = { ordinary: 3, large: 1 };

/** Measured shares of the full size. Hosts and instances grow together. */
const shares = [1 / 8, 1 / 4, 1 / 2, 1] as const;
/** V·H grows with the square of the share. The rest is a margin for noise. */
const greatestExponent = 2.1;
/** Below this time, clock and garbage collection determine the result. */
const noiseMs = 50;

interface Models {
  snapshot: ComputeSnapshot;
  storage: StorageSnapshot;
  baremetal: BaremetalSnapshot;
  metrics: MetricsReader;
}

interface World extends Models {
  hotHosts: number;
}

interface Measured {
  hotHosts: number;
  actions: number;
  checks: number;
  strategyMs: number;
  plannerMs: number;
  /** Processor time of strategy and planner, including threads of the runtime. */
  computeMs: number;
}

/** The crooked cloud with all models and metrics, and some hot hosts. */
export function makeWorld(hosts: number, instances: number, seed: number): World {
  const random = seededRandom(seed);
  const snapshot = crookedSnapshot(hosts, instances, random);
  const loads = crookedLoads(snapshot, random, hotShare);
  return {
    snapshot,
    storage: syntheticStorage(snapshot),
    baremetal: syntheticBaremetal(snapshot),
    metrics: crookedMetrics(snapshot, random, loads),
    hotHosts: loads.hostCpu.filter((percent) => percent >= hotPercent).length,
  };
}

/** Parameters that a strategy needs to run, or to have work. */
const parametersOf: Record<string, (world: Models) => JsonObject> = {
  host_maintenance: ({ snapshot }) => ({ maintenance_node: snapshot.hostInfo[0]?.hostname ?? '' }),
  rolling_maintenance: (world) => ({ compute_nodes: tenthOf(world), at_once: 10, if_stuck: 'skip' }),
  host_return: ({ snapshot }) => ({
    compute_nodes: snapshot.hostInfo.map(({ hostname }) => hostname),
    bring_back: true,
    any_reason: true,
  }),
  failed_host_evacuation: ({ snapshot: { hostInfo, hosts } }) => ({
    fenced_hosts: hostInfo.filter((_, row) => !isUp(hosts, row)).map(({ hostname }) => hostname),
    local_disks: 'evacuate',
  }),
  zone_migration(world) {
    const everything = world.snapshot.instanceInfo.length + world.storage.volumes.length;
    return {
      compute_nodes: tenthOf(world).map((hostname) => ({ src_node: hostname })),
      parallel_total: everything,
      parallel_per_node: everything,
    };
  },
  actuator: ({ snapshot }) => ({
    actions: snapshot.instanceInfo.map(({ uuid }) => ({
      action_type: 'stop',
      resource_id: uuid,
      input_parameters: {},
    })),
  }),
};

function tenthOf({ snapshot: { hostInfo } }: Models): string[] {
  return hostInfo.slice(0, Math.ceil(hostInfo.length / 10)).map(({ hostname }) => hostname);
}

/** Effects of earlier plans: every tenth instance has left some host. */
function pastOf({ hostInfo, instanceInfo }: ComputeSnapshot): PastActions {
  const leavers = instanceInfo.filter((_, row) => row % 10 === 0);
  const from = (row: number) => hostInfo[row % hostInfo.length]?.hostname ?? '';
  return {
    ...{ failures: 0, disabled: [], woken: [], open: [] },
    departures: Object.fromEntries(leavers.map(({ uuid }, row) => [uuid, from(row)])),
  };
}

/** Extra seconds of strategies that search: their least budget. 0 for the others. */
function searchSeconds({ parameters }: StrategyManifest): number {
  const { time_limit: limit } = (parameters.properties ?? {}) as Record<string, { minimum?: number }>;
  return limit?.minimum ?? 0;
}

/** Parameters of a strategy in the bench: all defaults and the shortest search. @throws InvalidInputError */
export function benchParameters(manifest: StrategyManifest, world: Models): JsonObject {
  const seconds = searchSeconds(manifest);
  const search: JsonObject = seconds > 0 ? { time_limit: seconds } : {};
  return validateParameters(manifest.parameters, { ...search, ...parametersOf[manifest.name]?.(world) });
}

/** The strategy with a model that counts its feasibility checks. */
function counting(strategy: StrategyPlugin, count: () => void): StrategyPlugin {
  return {
    ...strategy,
    run(context) {
      const { refusal } = context.model;
      const model = { ...context.model };
      model.refusal = (instance, host, options) => {
        count();
        return refusal(instance, host, options);
      };
      return strategy.run({ ...context, model });
    },
  };
}

async function runOnce(strategy: StrategyPlugin, { hotHosts, ...world }: World): Promise<Measured> {
  const { name, planner: plannerName } = strategy.manifest;
  const planner = plannerCatalogue.find((candidate) => candidate.name === plannerName);
  if (planner === undefined) throw new Error(`strategy ${name} names an unknown planner ${plannerName}`);
  const parameters = benchParameters(strategy.manifest, world);
  const past = pastOf(world.snapshot);
  let checks = 0;
  let next = 0;
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const result = await executeStrategy(
    counting(strategy, () => checks++),
    { ...world, past, scoring, parameters, seed: 1, nowMs: 0, signal: new AbortController().signal, log: silentLogger },
  );
  const proposed = performance.now();
  const newUuid = () => `action-${next++}`;
  const { leftAlone } = result;
  const actions = planner.plan(result.actions, { snapshot: world.snapshot, limits, newUuid, leftAlone }).length;
  const plannerMs = performance.now() - proposed;
  const { user, system } = process.cpuUsage(cpu);
  return { hotHosts, actions, checks, strategyMs: proposed - begin, plannerMs, computeMs: (user + system) / 1000 };
}

/** Returns the run with the median time. */
async function measure(strategy: StrategyPlugin, world: World, count: number): Promise<Measured> {
  const measured: Measured[] = [];
  for (let run = 0; run < count; run++) measured.push(await runOnce(strategy, world));
  measured.sort((a, b) => a.computeMs - b.computeMs);
  return measured[Math.floor(measured.length / 2)] as Measured;
}

/** Slope of the straight line through the logarithms (least squares): 1 is linear, 2 quadratic in the size. */
function growthExponent(times: readonly number[]): number {
  const points = times.flatMap((ms, row) => (ms < noiseMs ? [] : [[Math.log(shares[row] as number), Math.log(ms)]]));
  if (points.length < 2) return 0;
  const mean = (column: 0 | 1) => points.reduce((sum, point) => sum + (point[column] as number), 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  let [above, below] = [0, 0];
  for (const [a = 0, b = 0] of points) {
    above += (a - x) * (b - y);
    below += (a - x) ** 2;
  }
  return above / below;
}

/** Returns the peak memory of the process so far. */
function peakMib(): number {
  return process.resourceUsage().maxRSS / 1024;
}

function makePart(sizes: Sizes, share: number): World {
  const hosts = Math.max(2, Math.round(sizes.hosts * share));
  return makeWorld(hosts, Math.round(sizes.instances * share), sizes.seed);
}

type Sizes = Record<'hosts' | 'instances' | 'seed', number>;

async function measureStrategy(strategy: StrategyPlugin, sizes: Sizes): Promise<BenchResult> {
  const { hosts, instances } = sizes;
  await runOnce(strategy, makePart(sizes, shares[0]));
  const count = hosts > ordinaryHosts ? runs.large : runs.ordinary;
  const measured: Measured[] = [];
  for (const share of shares) measured.push(await measure(strategy, makePart(sizes, share), count));
  const full = measured[measured.length - 1] as Measured;
  return {
    name: strategy.manifest.name,
    hosts,
    instances,
    hot_hosts: full.hotHosts,
    actions: full.actions,
    compute_ms: rounded(full.computeMs),
    strategy_ms: rounded(full.strategyMs),
    planner_ms: rounded(full.plannerMs),
    checks: full.checks,
    checks_per_second: Math.round((full.checks / full.computeMs) * 1000),
    growth_exponent: rounded(growthExponent(measured.map(({ computeMs }) => computeMs)), 2),
    peak_mib: Math.round(peakMib()),
  };
}

function goalsOf(manifest: StrategyManifest, result: BenchResult, hosts: number): BenchGoal[] {
  const limit = (hosts > ordinaryHosts ? limitMs.large : limitMs.ordinary) + 1000 * searchSeconds(manifest);
  return [
    { name: `${result.name} with planner`, value: Number(result.compute_ms), limit, unit: 'ms' },
    { name: `${result.name} growth`, value: Number(result.growth_exponent), limit: greatestExponent, unit: 'exponent' },
    { name: `${result.name} memory`, value: Number(result.peak_mib), limit: limitMib, unit: 'MiB' },
  ];
}

/**
 * Times one built-in strategy with its planner on a seeded synthetic cloud of four sizes up to the given one. Processor
 * time counts, of the median run. In clouds of more than 1,000 hosts there is one run. Memory is that of the process.
 * @param args name of the strategy, then options; @throws InvalidInputError
 */
export async function strategyBench([name, ...rest]: string[]): Promise<void> {
  const { json, numbers } = benchArguments(name === '--help' ? [name] : rest, strategyBenchDefaults);
  const strategy = strategyCatalogue.find(({ manifest }) => manifest.name === name);
  if (strategy === undefined) throw new InvalidInputError('strategy', `there is none called ${name ?? ''}`);
  const result = await measureStrategy(strategy, numbers);
  finishBench(
    { bench: 'strategy', results: [result], goals: goalsOf(strategy.manifest, result, numbers.hosts) },
    { json },
  );
}
