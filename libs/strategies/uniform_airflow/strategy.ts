import type { WhatIf } from '#libs/cluster-model';
import { counted } from '#libs/domain';
import type {
  ProposedAction,
  StrategyContext,
  StrategyManifest,
  StrategyPlugin,
  StrategyResult,
} from '#libs/plugin-kit';
import { moveWithAllocations } from '../shared/hosts/allocation-values.ts';
import { movableInstances, warmingInstances } from '../shared/hosts/movable-instances.ts';
import { hostAt, instanceAt, instanceLabel, shortNumber } from '../shared/hosts/rows.ts';
import { readSplitHosts, type SplitHosts, splitResult, windowOf } from '../shared/hosts/split-hosts.ts';
import { migrateAction, migrationTypeOf } from '../shared/moves/actions.ts';
import { type FirstFeasible, firstFeasible } from '../shared/moves/first-feasible.ts';
import { type BlockedTally, createBlockedTally } from '../shared/report/blocked-tally.ts';
import { type UniformAirflowParameters, uniformAirflowParameters } from './parameters.ts';

/** Manifest of `uniform_airflow`. */
const uniformAirflowManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'uniform_airflow',
  displayName: 'Uniform airflow migration strategy',
  goal: 'airflow_optimization',
  description:
    'Relieves the host with the strongest airflow. A strong airflow without a hot inlet or high power indicates ' +
    'faulty hardware, and the host is emptied. Otherwise one instance moves.',
  parameters: uniformAirflowParameters,
  metrics: ['host_airflow', 'host_inlet_temp', 'host_power'],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
};

/** Hosts by their airflow, with values by host row that distinguish a faulty host from a busy one. */
interface AirflowHosts extends SplitHosts {
  inlet: Float64Array;
  power: Float64Array;
}

async function readHosts(
  context: StrategyContext<UniformAirflowParameters>,
  blocked: BlockedTally,
): Promise<AirflowHosts> {
  const { metrics, parameters } = context;
  const split = {
    strategy: 'uniform_airflow',
    metric: 'host_airflow',
    threshold: parameters.threshold_airflow,
  } as const;
  const [hosts, inlet, power] = await Promise.all([
    readSplitHosts(context, split, blocked),
    metrics.hosts('host_inlet_temp', windowOf(parameters)),
    metrics.hosts('host_power', windowOf(parameters)),
  ]);
  return { ...hosts, inlet, power };
}

/** The reason for relieving a host, and its quantity. */
interface Relief {
  source: number;
  /** Whether all instances must leave. */
  all: boolean;
  finding: string;
}

const noneTaken: ReadonlySet<number> = new Set();

/**
 * A strong airflow with a cool inlet and little power indicates faulty hardware, and the host is emptied. With a
 * missing value this is unknown, and one instance moves.
 */
function judge(hosts: AirflowHosts, source: number, parameters: UniformAirflowParameters, name: string): Relief {
  const [flow, inlet, power] = [hosts.values, hosts.inlet, hosts.power].map((column) => column[source] as number) as [
    number,
    number,
    number,
  ];
  const all = inlet < parameters.threshold_inlet_t && power < parameters.threshold_power;
  const reported = (value: number, unit: string) => (Number.isNaN(value) ? 'unknown' : `${shortNumber(value)} ${unit}`);
  const finding =
    `the airflow of ${name} is ${shortNumber(flow)} (threshold ${parameters.threshold_airflow}) ` +
    `with inlet ${reported(inlet, '°C')}, power ${reported(power, 'W')}`;
  return { source, all, finding: all ? `${finding}, which hints at faulty hardware` : finding };
}

interface Placement extends FirstFeasible {
  instance: number;
}

/**
 * Destinations of the leaving instances, each with the moves before it applied. Empty when some instance (or, if one
 * is enough, every instance) finds none. Leaves the model unchanged.
 */
function place(model: WhatIf, { source, all }: Relief, instances: readonly number[], targets: readonly number[]) {
  const placements: Placement[] = [];
  let failed = false;
  for (const instance of instances) {
    const found = firstFeasible(model, instance, targets, noneTaken);
    if (found.host < 0) {
      failed = all;
      if (all) break;
      continue;
    }
    placements.push({ ...found, instance });
    if (!all) break;
    model.move(instance, found.host);
  }
  for (const { instance } of placements) model.move(instance, source);
  return failed ? [] : placements;
}

function toAction(model: WhatIf, relief: Relief, { instance, host, rejected }: Placement): ProposedAction {
  const { snapshot } = model;
  const info = instanceAt(snapshot, instance);
  const [from, to] = [hostAt(snapshot, relief.source), hostAt(snapshot, host)];
  return migrateAction(info, migrationTypeOf(snapshot, instance), from, to, {
    rule: relief.all ? 'faulty-hardware' : 'strong-airflow',
    summary: `${instanceLabel(info)} goes to ${to.hostname}, since ${relief.finding}.`,
    values: moveWithAllocations(model, instance, host),
    rejected,
  });
}

function whyEmpty({ high: strong, low: weak }: AirflowHosts, threshold: number): string {
  if (strong.length === 0) return `no host has an airflow of ${threshold} or more`;
  if (weak.length === 0) return `no host has an airflow below ${threshold}`;
  return 'no host with a strong airflow can be relieved: hosts with a weaker one have no room for its instances';
}

/**
 * Relieves the host with the strongest airflow that can be relieved. Throws MetricsMissingError when no host has one.
 */
export const uniformAirflowStrategy: StrategyPlugin<UniformAirflowParameters> = {
  manifest: uniformAirflowManifest,
  async run(context): Promise<StrategyResult> {
    const { model, parameters } = context;
    const blocked = createBlockedTally();
    const hosts = await readHosts(context, blocked);
    const notes = [`${hosts.high.length} hosts have a strong airflow, ${hosts.low.length} a weaker one`];
    let actions: ProposedAction[] = [];
    let eligible = 0;
    for (const source of hosts.high) {
      context.signal.throwIfAborted();
      const name = hostAt(model.snapshot, source).hostname;
      const relief = judge(hosts, source, parameters, name);
      const instances = relief.all
        ? movableInstances(model, source, blocked)
        : warmingInstances(model, source, hosts.loads, blocked);
      eligible += instances.length;
      const placements = place(model, relief, instances, hosts.low);
      if (placements.length === 0) {
        if (instances.length > 0) blocked.add('destinations-not-for-all', name);
        continue;
      }
      actions = placements.map((placement) => toAction(model, relief, placement));
      const left = model.instancesOn(source).length;
      if (relief.all && left > 0) notes.push(`${counted(left, 'instance')} cannot leave ${name}`);
      break;
    }
    return splitResult(model, hosts, {
      ...{ actions, eligible, blocked, notes },
      whyEmpty: () => whyEmpty(hosts, parameters.threshold_airflow),
    });
  },
};
