import type {
  ProposedAction,
  StrategyContext,
  StrategyManifest,
  StrategyPlugin,
  StrategyResult,
} from '#libs/plugin-kit';
import { migrateAction } from '../actions.ts';
import { moveWithAllocations } from '../allocation-values.ts';
import { type BlockedTally, createBlockedTally } from '../blocked-tally.ts';
import { MetricsMissingError } from '../errors.ts';
import { firstFeasible } from '../first-feasible.ts';
import { readInstanceLoads, warmingInstances } from '../movable-instances.ts';
import { acceptingHosts, hostAt, instanceAt, instanceLabel, shortNumber } from '../rows.ts';
import { type OutletTemperatureParameters, outletTemperatureParameters } from './parameters.ts';

/** What `outlet_temperature` says of itself. */
const outletTemperatureManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'outlet_temperature',
  displayName: 'Outlet temperature based strategy',
  goal: 'thermal_optimization',
  description:
    'Takes load off hosts whose outlet air is too hot: of each such host one instance moves to the coolest host that ' +
    'takes it. What a move does to the temperature is not known before, so a run moves one instance a host.',
  parameters: outletTemperatureParameters,
  metrics: ['host_outlet_temp'],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
};

type Context = StrategyContext<OutletTemperatureParameters>;

/** Hot hosts, hottest first, and the others, coolest first. */
interface Hosts {
  temperature: Float64Array;
  /** Of the instances, in vcpus. */
  loads: Float64Array;
  hot: number[];
  cool: number[];
}

async function readHosts(context: Context, blocked: BlockedTally): Promise<Hosts> {
  const { model, metrics, parameters } = context;
  const { threshold, period, granularity, aggregation_method: aggregate = 'mean' } = parameters;
  const window = { periodSeconds: period, granularitySeconds: granularity, aggregate };
  const [temperature, loads] = await Promise.all([
    metrics.hosts('host_outlet_temp', window),
    readInstanceLoads(model, metrics, window),
  ]);
  const degrees = (row: number) => temperature[row] as number;
  const used = acceptingHosts(model);
  const measured = used.filter((row) => {
    const known = !Number.isNaN(degrees(row));
    if (!known) blocked.add('host-without-metric', hostAt(model.snapshot, row).hostname);
    return known;
  });
  if (used.length > 0 && measured.length === 0)
    throw new MetricsMissingError('outlet_temperature', ['host_outlet_temp'], period);
  return {
    temperature,
    loads,
    hot: measured.filter((row) => degrees(row) >= threshold).sort((a, b) => degrees(b) - degrees(a) || a - b),
    cool: measured.filter((row) => degrees(row) < threshold).sort((a, b) => degrees(a) - degrees(b) || a - b),
  };
}

/** The move of one instance off a hot host, or null when none can go. */
function relieve(
  context: Context,
  { temperature, loads, cool }: Hosts,
  source: number,
  state: { taken: Set<number>; blocked: BlockedTally },
): ProposedAction | null {
  const { model, parameters } = context;
  const { snapshot } = model;
  for (const instance of warmingInstances(model, source, loads, state.blocked)) {
    const { host, rejected } = firstFeasible(model, instance, cool, state.taken);
    const info = instanceAt(snapshot, instance);
    if (host < 0) {
      state.blocked.add(rejected[0]?.because ?? 'no-other-host', instanceLabel(info));
      continue;
    }
    state.taken.add(host);
    const [from, to] = [hostAt(snapshot, source), hostAt(snapshot, host)];
    const degrees = (row: number) => shortNumber(temperature[row] as number);
    return migrateAction(info, 'live', from, to, {
      rule: 'hot-outlet',
      summary:
        `${from.hostname} blows out air of ${degrees(source)} °C (threshold ${parameters.threshold} °C); ` +
        `${instanceLabel(info)} goes to ${to.hostname}, at ${degrees(host)} °C the coolest host that takes it.`,
      values: moveWithAllocations(model, instance, host),
      rejected,
    });
  }
  return null;
}

function whyEmpty({ hot, cool }: Hosts, threshold: number): string {
  if (hot.length === 0) return `no host has an outlet temperature of ${threshold} °C or more`;
  if (cool.length === 0) return `no host has an outlet temperature below ${threshold} °C`;
  return 'no instance of a hot host can go to a cooler one';
}

/**
 * Moves one instance off each host that is too hot. Throws MetricsMissingError when no host has a temperature.
 */
export const outletTemperatureStrategy: StrategyPlugin<OutletTemperatureParameters> = {
  manifest: outletTemperatureManifest,
  async run(context): Promise<StrategyResult> {
    const { model, parameters } = context;
    const blocked = createBlockedTally();
    const hosts = await readHosts(context, blocked);
    const state = { taken: new Set<number>(), blocked };
    const eligible = hosts.hot
      .flatMap((row) => model.instancesOn(row))
      .filter((instance) => model.immovable(instance) === null).length;
    const actions =
      hosts.cool.length === 0 ? [] : hosts.hot.flatMap((row) => relieve(context, hosts, row, state) ?? []);
    return {
      actions,
      indicators: {},
      report: {
        hosts: { considered: model.snapshot.hostInfo.length, eligible: hosts.hot.length + hosts.cool.length },
        instances: { considered: model.snapshot.instanceInfo.length, eligible },
        blocked: blocked.counts(),
        emptyBecause: actions.length > 0 ? null : whyEmpty(hosts, parameters.threshold),
        notes: [`${hosts.hot.length} hosts are at or above ${parameters.threshold} °C, ${hosts.cool.length} below`],
      },
    };
  },
};
