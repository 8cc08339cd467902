import { isRunning, type WhatIf } from '#libs/cluster-model';
import { counted } from '#libs/domain';
import type { BlockedTally } from '../report/blocked-tally.ts';
import { hostAt, instanceAt, instanceLabel, shortNumber } from './rows.ts';

/** Default minimum percent of the allocations of a host with measurements. */
export const defaultCoverage = 80;

/** JSON Schema of the parameter `minimum_coverage`. Watcher has no such parameter, so it has no default. */
export const minimumCoverageSchema = {
  'x-advanced': true,
  'x-texts': { de: { title: 'Mindestanteil gemessener Last' } },
  description:
    'Minimum percent of the allocations of a host that must be measured for its load to count. Default ' +
    `${defaultCoverage}. Other hosts are neither source nor destination.`,
  'x-unit': '%',
  type: 'number',
  minimum: 0,
  maximum: 100,
} as const;

/** Loads of instances, and the hosts to sum them for. */
export interface CoverRequest {
  /** Load of each instance. NaN: not measured. */
  measured: Float64Array;
  /** Maximum use of each instance, in the same unit. */
  allocated: Float64Array;
  hosts: readonly number[];
  /** Percent. Default 80. */
  minimumCoverage?: number;
  /** Whether a host has a separate load, regardless of its instances. Default: no host has. */
  isMeasured?(host: number): boolean;
}

/** Use by instances, and the hosts where it is known. */
export interface CoveredUse {
  /**
   * Measured use of each instance. An unmeasured instance has the measured mean share of allocations, or 0 when it
   * does not run or is on none of the hosts of the model. NaN for running instances when nothing was measured.
   */
  use: Float64Array;
  /** Hosts with enough known load. Includes all hosts without running instances. */
  known: number[];
  /** For the report: the estimates, and the hosts that were left unchanged. */
  notes: string[];
}

function meanShare({ measured, allocated }: CoverRequest, runs: Uint8Array): number {
  const sum = { used: 0, allocated: 0 };
  measured.forEach((value, row) => {
    if (runs[row] === 0 || Number.isNaN(value)) return;
    sum.used += value;
    sum.allocated += allocated[row] as number;
  });
  return sum.allocated > 0 ? sum.used / sum.allocated : Number.NaN;
}

/**
 * Fills the gaps of partial telemetry. An instance without a measurement is not idle, and a host with few measurements
 * is not empty. Such hosts, and unmeasured running instances, count as blocked.
 */
export function coverUse(model: WhatIf, request: CoverRequest, blocked: BlockedTally): CoveredUse {
  const { snapshot } = model;
  const { measured, allocated, hosts, minimumCoverage = defaultCoverage, isMeasured } = request;
  const runs = Uint8Array.from(model.hostOf, (host, row) => (host >= 0 && isRunning(snapshot, row) ? 1 : 0));
  const mean = meanShare(request, runs);
  let estimated = 0;

  function coverageOf(host: number): number {
    const sum = { measured: 0, allocated: 0 };
    for (const row of model.instancesOn(host)) {
      if (runs[row] === 0) continue;
      const own = allocated[row] as number;
      sum.allocated += own;
      if (!Number.isNaN(measured[row])) {
        sum.measured += own;
        continue;
      }
      estimated++;
      blocked.add('instance-without-metric', instanceLabel(instanceAt(snapshot, row)));
    }
    return sum.allocated === 0 ? 100 : (sum.measured / sum.allocated) * 100;
  }

  const known = hosts.filter((host) => {
    const isKnown = coverageOf(host) >= minimumCoverage || (isMeasured?.(host) ?? false);
    if (!isKnown) blocked.add('coverage', hostAt(snapshot, host).hostname);
    return isKnown;
  });
  const leftAlone = hosts.length - known.length;
  const share = `${shortNumber(mean * 100)} % of the allocation of each, the mean of the measured ones`;
  return {
    use: measured.map((value, row) => {
      if (!Number.isNaN(value)) return value;
      return runs[row] === 1 ? (allocated[row] as number) * mean : 0;
    }),
    known,
    notes: [
      ...(leftAlone > 0
        ? [
            `${counted(leftAlone, 'host', ['is', 'are'])} left alone as source and as destination: less than ${minimumCoverage} % of the allocations there is measured`,
          ]
        : []),
      ...(estimated > 0 && !Number.isNaN(mean)
        ? [`${counted(estimated, 'unmeasured instance', ['counts', 'count'])} with ${share}`]
        : []),
    ],
  };
}
