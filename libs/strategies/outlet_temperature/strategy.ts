import { counted } from '#libs/domain';
import type {
  ProposedAction,
  StrategyContext,
  StrategyManifest,
  StrategyPlugin,
  StrategyResult,
} from '#libs/plugin-kit';
import { moveWithAllocations } from '../shared/hosts/allocation-values.ts';
import { warmingInstances } from '../shared/hosts/movable-instances.ts';
import { hostAt, instanceAt, instanceLabel, shortNumber } from '../shared/hosts/rows.ts';
import { readSplitHosts, type SplitHosts, splitResult } from '../shared/hosts/split-hosts.ts';
import { migrateAction } from '../shared/moves/actions.ts';
import { firstFeasible } from '../shared/moves/first-feasible.ts';
import { type BlockedTally, createBlockedTally } from '../shared/report/blocked-tally.ts';
import { type OutletTemperatureParameters, outletTemperatureParameters } from './parameters.ts';

/** Manifest of `outlet_temperature`. */
const outletTemperatureManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'outlet_temperature',
  displayName: 'Outlet temperature based strategy',
  goal: 'thermal_optimization',
  description:
    'Relieves hosts whose outlet air is too hot: one instance of each such host moves to the coolest host with ' +
    'room. The effect of a move on the temperature is unknown in advance, so each run moves one instance per ' +
    'host.',
  parameters: outletTemperatureParameters,
  metrics: ['host_outlet_temp'],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
  urgentRules: ['hot-outlet'],
};

type Context = StrategyContext<OutletTemperatureParameters>;

/** The move of one instance off a hot host, or null when none is possible. */
function relieve(
  context: Context,
  { values: temperature, loads, low: cool }: SplitHosts,
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

function whyEmpty({ high: hot, low: cool }: SplitHosts, threshold: number): string {
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
    const { threshold } = parameters;
    const split = { strategy: 'outlet_temperature', metric: 'host_outlet_temp', threshold } as const;
    const hosts = await readSplitHosts(context, split, blocked);
    const state = { taken: new Set<number>(), blocked };
    const eligible = hosts.high
      .flatMap((row) => model.instancesOn(row))
      .filter((instance) => model.immovable(instance) === null).length;
    const actions =
      hosts.low.length === 0 ? [] : hosts.high.flatMap((row) => relieve(context, hosts, row, state) ?? []);
    return splitResult(model, hosts, {
      ...{ actions, eligible, blocked },
      whyEmpty: () => whyEmpty(hosts, threshold),
      notes: [
        `${counted(hosts.high.length, 'host', ['is', 'are'])} at or above ${threshold} °C, ${hosts.low.length} below`,
      ],
    });
  },
};
