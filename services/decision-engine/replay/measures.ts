import type { DayCloud } from './day-cloud.ts';
import { loadOfHosts, servedShares } from './load.ts';
import { wattsAt } from './power-models.ts';
import { type DayWorld, stepSeconds } from './replay-world.ts';

/** Share of its demand that an instance loses during its live migration, as in CloudSim. */
const degradation = 0.1;
/** Load of a host in the lower bound. */
const boundLoad = 0.8;

/**
 * Means and sums of an hour, for reports. `idle_kwh`: energy of hosts without instances, and of machines that change
 * their power state. `bound`: number of hosts of the largest kind that the demand fills to 80 %.
 */
export interface DayHour {
  hour: number;
  kwh: number;
  idle_kwh: number;
  on: number;
  used: number;
  bound: number;
  unmet_percent: number;
}

/** Sums over the time of a replay. */
export interface DayMeasures {
  /** Adds `seconds` in which the cloud did not change. `migrating`: rows of the migrating instances. */
  passes(cloud: DayCloud, step: number, seconds: number, migrating: ReadonlySet<number>): void;
  results(): Record<string, number>;
  /** One entry for each hour that has passed. */
  hours(): DayHour[];
}

interface HourSums {
  seconds: number;
  joules: number;
  /** Energy of running hosts without instances, and of machines that change their power state. */
  idleJoules: number;
  switchingJoules: number;
  on: number;
  used: number;
  demanded: number;
  unmet: number;
}

const kwhOf = (joules: number) => joules / 3.6e6;

/** @param largest CPUs of the largest host, times the load of the bound */
function dayHour(sums: HourSums, hour: number, largest: number): DayHour {
  const { seconds, joules, idleJoules, switchingJoules, on, used, demanded, unmet } = sums;
  return {
    hour,
    kwh: kwhOf(joules),
    idle_kwh: kwhOf(idleJoules + switchingJoules),
    on: on / seconds,
    used: used / seconds,
    bound: demanded / seconds / largest,
    unmet_percent: (100 * unmet) / demanded,
  };
}

/**
 * Creates empty measures. The energy is the sum of four causes: `bound_kwh` (the demand on the best hosts, filled to
 * 80 %), `margin_kwh` (hosts with instances, beyond the bound), `idle_kwh` (running hosts without instances) and
 * `switching_kwh` (machines that change their power state). `unmet_percent`: demanded CPU that was not served.
 * `overload_percent`: time at full load of hosts with instances. `slatah`: mean of that share over the hosts. `pdm`:
 * mean share of its demand that an instance lost to migrations. `esv`: energy × slatah × pdm (Beloglazov and Buyya,
 * CCPE 24(13), 2012).
 */
export function createDayMeasures(world: DayWorld): DayMeasures {
  const perHost = world.hosts.map(() => ({ used: 0, full: 0 }));
  /** Demand of each instance, and the part that it lost to migrations. */
  const demanded = new Float64Array(world.instances.length);
  const lost = new Float64Array(world.instances.length);
  const hourly: HourSums[] = [];
  let boundJoules = 0;
  const boundWatts = createBound(world);
  const largest = Math.max(...world.hosts.map(({ vcpus }) => vcpus)) * boundLoad;
  const total = (name: keyof HourSums) => hourly.reduce((sum, hour) => sum + hour[name], 0);

  function hourOf(step: number): HourSums {
    const index = Math.floor((step * stepSeconds) / 3600);
    hourly[index] ??= {
      ...{ seconds: 0, joules: 0, idleJoules: 0, switchingJoules: 0 },
      ...{ on: 0, used: 0, demanded: 0, unmet: 0 },
    };
    return hourly[index];
  }

  function passUsed(host: { used: number; full: number }, load: number, seconds: number): void {
    host.used += seconds;
    if (load >= 1) host.full += seconds;
  }

  function passEnergy(hour: HourSums, host: { power: string; isUsed: boolean }, joules: number): void {
    hour.joules += joules;
    if (host.power === 'changing') hour.switchingJoules += joules;
    else if (!host.isUsed) hour.idleJoules += joules;
  }

  function passHosts(
    cloud: DayCloud,
    { demand, instancesOn, hour }: { demand: Float64Array; instancesOn: Int32Array; hour: HourSums },
    seconds: number,
  ): void {
    for (const [row, { power, failed }] of cloud.hosts.entries()) {
      if (power === 'off') continue;
      const { vcpus, watts } = world.hosts[row]!;
      const isRunning = power === 'on' && !failed;
      const load = isRunning ? (demand[row] as number) / vcpus : 0;
      const isUsed = (instancesOn[row] as number) > 0;
      passEnergy(hour, { power, isUsed }, seconds * wattsAt(watts, load));
      hour.on += seconds;
      if (!isRunning || !isUsed) continue;
      passUsed(perHost[row]!, load, seconds);
      hour.used += seconds;
    }
  }

  const demandOf = ({ vcpus, loadAt }: DayCloud, step: number, row: number, seconds: number) =>
    (seconds * (vcpus[row] as number) * (loadAt(step).cpu[row] || 0)) / 100;

  /** Returns the number of instances on each host. */
  function passInstances(
    { hostOf, vcpus, loadAt }: DayCloud,
    { step, shares, hour }: { step: number; shares: Float64Array; hour: HourSums },
    seconds: number,
  ): Int32Array {
    const instancesOn = new Int32Array(world.hosts.length);
    const { cpu } = loadAt(step);
    let [all, unmet] = [hour.demanded, hour.unmet];
    for (let row = 0; row < hostOf.length; row += 1) {
      const host = hostOf[row] as number;
      if (host < 0) continue;
      instancesOn[host] = (instancesOn[host] as number) + 1;
      const demand = (seconds * (vcpus[row] as number) * (cpu[row] || 0)) / 100;
      all += demand;
      unmet += demand * (1 - (shares[host] as number));
      demanded[row] = (demanded[row] as number) + demand;
    }
    [hour.demanded, hour.unmet] = [all, unmet];
    return instancesOn;
  }

  return {
    passes(cloud, step, seconds, migrating) {
      const loads = loadOfHosts(cloud, step);
      const hour = hourOf(step);
      const instancesOn = passInstances(cloud, { step, shares: servedShares(cloud, loads), hour }, seconds);
      for (const row of migrating)
        if ((cloud.hostOf[row] as number) >= 0) lost[row]! += demandOf(cloud, step, row, seconds) * degradation;
      passHosts(cloud, { demand: loads.demand, instancesOn, hour }, seconds);
      boundJoules += seconds * boundWatts(loads.demand.reduce((sum, one) => sum + one, 0));
      hour.seconds += seconds;
    },
    results() {
      const joules = total('joules');
      const kwh = kwhOf(joules);
      const [idle, switching] = [total('idleJoules'), total('switchingJoules')];
      const slatah = mean(perHost.flatMap(({ used, full }) => (used > 0 ? [full / used] : [])));
      const pdm = mean([...demanded].flatMap((demand, row) => (demand > 0 ? [(lost[row] as number) / demand] : [])));
      return {
        kwh,
        bound_kwh: kwhOf(boundJoules),
        margin_kwh: kwhOf(joules - idle - switching - boundJoules),
        idle_kwh: kwhOf(idle),
        switching_kwh: kwhOf(switching),
        to_bound_ratio: joules / boundJoules,
        unmet_percent: (100 * total('unmet')) / total('demanded'),
        overload_percent: (100 * perHost.reduce((sum, { full }) => sum + full, 0)) / total('used'),
        slatah_percent: 100 * slatah,
        pdm_percent: 100 * pdm,
        esv: kwh * slatah * pdm,
        hosts_on: total('on') / total('seconds'),
        hosts_used: total('used') / total('seconds'),
      };
    },
    hours: () => hourly.flatMap((sums, hour) => dayHour(sums, hour, largest)),
  };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Watts of a demand that fills hosts to 80 %. The hosts with the fewest watts per CPU are filled first. */
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
