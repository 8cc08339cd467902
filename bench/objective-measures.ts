import { type ComputeSnapshot, createWhatIf, hostFlag } from '#libs/cluster-model';
import type { ProposedAction } from '#libs/plugin-kit';

/** A cloud with the true use of every instance, measured or not. */
export interface MeasuredWorld {
  snapshot: ComputeSnapshot;
  /** CPU load of instances in percent of their vcpus. */
  cpu: ArrayLike<number>;
}

/** Value of a placement (the host of every instance). Less is better. */
export type Measure = (world: MeasuredWorld, hostOf: Int32Array) => number;

/** Placement after the migrations. */
export interface Applied {
  hostOf: Int32Array;
  migrations: number;
  /** Migrations that the rules of the cloud refuse at their turn. */
  refused: number;
}

/** Applies the proposed migrations in sequence. Every migration must name its destination. */
export function applyProposal(snapshot: ComputeSnapshot, actions: readonly ProposedAction[]): Applied {
  const model = createWhatIf(snapshot);
  const moves = actions.filter(({ actionType }) => actionType === 'migrate');
  let refused = 0;
  for (const { inputParameters: input } of moves) {
    const instance = model.instanceRow(String(input.resource_id));
    const host = model.hostRow(String(input.destination_node));
    if (instance === undefined || host === undefined)
      throw new Error('a migration without an instance or a destination');
    if (model.refusal(instance, host) !== null) refused += 1;
    model.move(instance, host);
  }
  return { hostOf: Int32Array.from(model.hostOf), migrations: moves.length, refused };
}

/** Returns the hosts that are up and enabled. */
function servingHosts({ hosts }: ComputeSnapshot): number[] {
  const wanted = hostFlag.up | hostFlag.enabled;
  return Array.from(hosts.flags.keys()).filter((row) => ((hosts.flags[row] as number) & wanted) === wanted);
}

/** Sum over the instances of each host. */
function sumByHost({ hostInfo }: ComputeSnapshot, hostOf: Int32Array, use: (instance: number) => number): Float64Array {
  const sums = new Float64Array(hostInfo.length);
  hostOf.forEach((host, instance) => {
    if (host >= 0) sums[host]! += use(instance);
  });
  return sums;
}

/** CPU load of the serving hosts in percent of their CPUs. */
function cpuPercents({ snapshot, cpu }: MeasuredWorld, hostOf: Int32Array): number[] {
  const { hosts, instances } = snapshot;
  const load = sumByHost(snapshot, hostOf, (row) => (cpu[row] as number) * (instances.vcpus[row] as number));
  return servingHosts(snapshot).map((host) => load[host]! / (hosts.vcpus[host] as number));
}

function deviationOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** Standard deviation of CPU load over the hosts, as a fraction of their CPUs. */
export const cpuDeviation: Measure = (world, hostOf) => deviationOf(cpuPercents(world, hostOf)) / 100;

/** Hosts whose CPU load has reached the threshold. */
export const hostsAbove =
  (threshold: number): Measure =>
  (world, hostOf) =>
    cpuPercents(world, hostOf).filter((percent) => percent >= threshold).length;

/** CPU load above the threshold, in percent of a host, over all hosts. */
export const overload =
  (threshold: number): Measure =>
  (world, hostOf) =>
    cpuPercents(world, hostOf).reduce((sum, percent) => sum + Math.max(0, percent - threshold), 0);

/** Standard deviation of the number of instances over the hosts. */
export const countDeviation: Measure = ({ snapshot }, hostOf) => {
  const counts = sumByHost(snapshot, hostOf, () => 1);
  return deviationOf(servingHosts(snapshot).map((host) => counts[host]!));
};

/** Standard deviation of the allocated part of a resource over the hosts. */
export const allocationDeviation =
  (resource: 'vcpus' | 'memory'): Measure =>
  ({ snapshot }, hostOf) => {
    const { hosts, instances } = snapshot;
    const used = sumByHost(snapshot, hostOf, (row) => instances[resource][row] as number);
    const shares = servingHosts(snapshot).map((host) => {
      const physical = (hosts[resource][host] as number) - (hosts[`${resource}Reserved`][host] as number);
      return used[host]! / (physical * (hosts[`${resource}Ratio`][host] as number));
    });
    return deviationOf(shares);
  };

/** Returns the hosts with an instance, whether up and enabled or not. */
export const hostsInUse: Measure = ({ snapshot }, hostOf) =>
  sumByHost(snapshot, hostOf, () => 1).filter((count) => count > 0).length;
