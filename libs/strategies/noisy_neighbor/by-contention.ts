import { totalCpus, type WhatIf } from '#libs/cluster-model';
import type { StrategyContext } from '#libs/plugin-kit';
import { coverUse } from '../shared/hosts/covered-use.ts';
import { acceptingHosts, hostAt, instanceAt, instanceLabel, shortNumber } from '../shared/hosts/rows.ts';
import type { BlockedTally } from '../shared/report/blocked-tally.ts';
import type { Disturbance, Findings } from './disturbance.ts';
import { priorityOf } from './find-pair.ts';
import type { NoisyNeighborParameters } from './parameters.ts';

/** CPU contention. NaN: not measured. */
interface Contention {
  /** Percent of time, by row of the instance: steal, or ready time. */
  steal: Float64Array;
  /** Percent of time, by row of the host: CPU pressure (PSI). */
  pressure: Float64Array;
  /** CPU use of each instance. */
  cpus: Float64Array;
  /** The same with estimates for unmeasured instances. NaN when nothing is measured. */
  covered: Float64Array;
  /** Hosts with enough measured load. */
  known: readonly number[];
  notes: string[];
}

type Context = StrategyContext<NoisyNeighborParameters>;

/** Maximum fraction of its CPUs that a destination may use with the noisy instance. */
const calmShare = 0.8;

/**
 * Finds an instance that waits for CPUs which a less important instance uses. Uses the steal of instances, or the CPU
 * pressure on hosts without that metric. Null when no data source has either metric.
 */
export async function findByContention(
  context: Context,
  heldBack: (instance: number) => void,
  blocked: BlockedTally,
): Promise<Findings | null> {
  const contention = await readContention(context, blocked);
  if (contention === null) return null;
  const { model } = context;
  const found: Disturbance[] = [];
  const quiet: { host: number; load: number }[] = [];
  const total = totalCpus(model.snapshot);
  for (const host of contention.known) {
    const isDisturbed = suffering(context, contention, host);
    if (isDisturbed === null) quiet.push({ host, load: cpusOn(model, contention, host) / (total[host] || 1) });
    else found.push(...separate(context, contention, { host, ...isDisturbed }, heldBack));
  }
  quiet.sort((a, b) => a.load - b.load || a.host - b.host);
  return {
    found,
    targets: quiet.map(({ host }) => host),
    crowds: (instance, host) =>
      cpusOn(model, contention, host) + (contention.covered[instance] || 0) > calmShare * (total[host] as number),
    measured: contention.steal.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0),
    nobody: 'no important instance waits for CPUs that one of lower priority uses and that may be moved',
    notes: ['judged by waiting for CPUs (steal, ready time or pressure), not by L3 cache', ...contention.notes],
  };
}

async function readContention(
  { model, metrics, parameters }: Context,
  blocked: BlockedTally,
): Promise<Contention | null> {
  const { period: periodSeconds, aggregation_method: aggregate = 'mean' } = parameters;
  const window = { periodSeconds, aggregate };
  const [steal, pressure] = await Promise.all([
    metrics.instances('instance_cpu_steal', window),
    metrics.hosts('host_cpu_pressure', window),
  ]);
  if (steal.every(Number.isNaN) && pressure.every(Number.isNaN)) return null;
  const { vcpus } = model.snapshot.instances;
  const used = await metrics.instances('instance_cpu_usage', window);
  const cpus = used.map((percent, row) => (percent / 100) * (vcpus[row] as number));
  const request = { measured: cpus, allocated: vcpus, hosts: acceptingHosts(model) };
  const { use: covered, known, notes } = coverUse(model, request, blocked);
  return { steal, pressure, cpus, covered, known, notes };
}

function cpusOn(model: WhatIf, { covered }: Contention, host: number): number {
  return model.instancesOn(host).reduce((sum, row) => sum + (covered[row] || 0), 0);
}

/** The most important instance that waits too long, with the evidence. Null when no instance does. */
function suffering({ model, parameters }: Context, { steal, pressure }: Contention, host: number) {
  const ranked = [...model.instancesOn(host)].sort((a, b) => priorityOf(model, a) - priorityOf(model, b) || a - b);
  const victim = ranked.find((row) => (steal[row] as number) > parameters.steal_threshold);
  if (victim !== undefined) return { victim, bySteal: true };
  const isMeasured = ranked.some((row) => !Number.isNaN(steal[row]));
  const [first] = ranked;
  if (isMeasured || first === undefined || !((pressure[host] as number) > parameters.pressure_threshold)) return null;
  return { victim: first, bySteal: false };
}

/** The movable instance of lower priority with the most CPU use. */
function separate(
  { model }: Context,
  contention: Contention,
  { host, victim, bySteal }: { host: number; victim: number; bySteal: boolean },
  heldBack: (instance: number) => void,
): Disturbance[] {
  const { snapshot } = model;
  const priority = priorityOf(model, victim);
  const suspects = model
    .instancesOn(host)
    .filter((row) => priorityOf(model, row) > priority && (contention.cpus[row] as number) > 0)
    .sort((a, b) => (contention.cpus[b] as number) - (contention.cpus[a] as number) || a - b);
  const noisy = suspects.find((row) => {
    if (model.immovable(row) === null) return true;
    heldBack(row);
    return false;
  });
  if (noisy === undefined) return [];
  const [waits, uses] = [instanceAt(snapshot, victim), instanceAt(snapshot, noisy)];
  const { hostname } = hostAt(snapshot, host);
  const share = shortNumber((bySteal ? contention.steal[victim] : contention.pressure[host]) as number);
  const waiting = bySteal
    ? `${instanceLabel(waits)} (priority ${priority}) waits for CPUs ${share} % of the time`
    : `something waits for CPUs ${share} % of the time, and ${instanceLabel(waits)} has priority ${priority}`;
  const cpus = shortNumber(contention.cpus[noisy] as number);
  return [
    {
      host,
      victim,
      noisy,
      why: `On ${hostname} ${waiting} while ${instanceLabel(uses)} (priority ${priorityOf(model, noisy)}) uses ${cpus} CPUs`,
      // The wait after the move cannot be predicted.
      values: [],
    },
  ];
}
