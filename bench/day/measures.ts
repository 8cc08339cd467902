import type { DayCloud } from './day-cloud.ts';
import { loadOfHosts, servedShare } from './load.ts';
import { wattsAt } from './power-models.ts';
import type { DayWorld } from './world.ts';

/** Share of the demand that a live migration takes from its instance while it runs, as in CloudSim. */
const degradation = 0.1;
/** Load up to which the bound fills a host. */
const boundLoad = 0.8;

/** Sums over the time of a bench. */
export interface DayMeasures {
  /** Adds `seconds` without a change of the cloud. `migrating`: rows of instances that migrate. */
  passes(cloud: DayCloud, step: number, seconds: number, migrating: ReadonlySet<number>): void;
  results(): Record<string, number>;
}

/**
 * Nothing has passed yet. `unmet_percent`: demanded CPU that was not served. `overload_percent`: time at full load of
 * hosts with instances. `slatah`: mean of that share over the hosts; `pdm`: mean share of its demand that an instance
 * lost to migrations; `esv`: energy × slatah × pdm (Beloglazov and Buyya, CCPE 24(13), 2012).
 */
export function createDayMeasures(world: DayWorld): DayMeasures {
  const perHost = world.hosts.map(() => ({ used: 0, full: 0 }));
  const perInstance = world.instances.map(() => ({ demand: 0, lost: 0 }));
  let [joules, boundJoules, demanded, unmet, usedTime, onTime, allTime] = [0, 0, 0, 0, 0, 0, 0];
  const boundWatts = createBound(world);

  function passUsed(host: { used: number; full: number }, load: number, seconds: number): void {
    host.used += seconds;
    usedTime += seconds;
    if (load >= 1) host.full += seconds;
  }

  function passHosts(cloud: DayCloud, demand: Float64Array, instancesOn: Int32Array, seconds: number): void {
    for (const [row, { power, failed }] of cloud.hosts.entries()) {
      if (power === 'off') continue;
      const { vcpus, watts } = world.hosts[row]!;
      const isRunning = power === 'on' && !failed;
      const load = isRunning ? (demand[row] ?? 0) / vcpus : 0;
      joules += seconds * wattsAt(watts, load);
      onTime += seconds;
      if (isRunning && (instancesOn[row] ?? 0) > 0) passUsed(perHost[row]!, load, seconds);
    }
  }

  return {
    passes(cloud, step, seconds, migrating) {
      const loads = loadOfHosts(cloud, step);
      const instancesOn = new Int32Array(world.hosts.length);
      cloud.hostOf.forEach((host, row) => {
        if (host < 0) return;
        instancesOn[host] = (instancesOn[host] ?? 0) + 1;
        const { vcpus, percents } = world.instances[row]!;
        const demand = (seconds * vcpus * (percents[step] ?? 0)) / 100;
        demanded += demand;
        unmet += demand * (1 - servedShare(cloud, loads, host));
        perInstance[row]!.demand += demand;
        if (migrating.has(row)) perInstance[row]!.lost += demand * degradation;
      });
      passHosts(cloud, loads.demand, instancesOn, seconds);
      boundJoules += seconds * boundWatts(loads.demand.reduce((sum, one) => sum + one, 0));
      allTime += seconds;
    },
    results() {
      const kwh = joules / 3.6e6;
      const slatah = mean(perHost.flatMap(({ used, full }) => (used > 0 ? [full / used] : [])));
      const pdm = mean(perInstance.flatMap(({ demand, lost }) => (demand > 0 ? [lost / demand] : [])));
      return {
        kwh,
        to_bound_ratio: joules / boundJoules,
        unmet_percent: (100 * unmet) / demanded,
        overload_percent: (100 * perHost.reduce((sum, { full }) => sum + full, 0)) / usedTime,
        slatah_percent: 100 * slatah,
        pdm_percent: 100 * pdm,
        esv: kwh * slatah * pdm,
        hosts_on: onTime / allTime,
        hosts_used: usedTime / allTime,
      };
    },
  };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Watts of a demand that fills parts of hosts to 80 %, those with the fewest watts for it first. */
function createBound({ hosts }: DayWorld): (demand: number) => number {
  const filled = hosts
    .map(({ vcpus, watts }) => ({ vcpus: vcpus * boundLoad, watts: wattsAt(watts, boundLoad) }))
    .sort((one, other) => one.watts / one.vcpus - other.watts / other.vcpus);
  return (demand) => {
    let [left, sum] = [demand, 0];
    for (const { vcpus, watts } of filled) {
      const share = Math.min(1, left / vcpus);
      sum += share * watts;
      left -= share * vcpus;
      if (left <= 0) break;
    }
    return sum;
  };
}
