import {
  type AuditPreview,
  gainedShare,
  type HostBeforeAfter,
  type HostUse,
  quantities,
  withUnits,
} from '#libs/client';
import { minimumShareText } from '../../components/headline-parts.ts';
import { shareText } from '../../components/number-text.ts';
import { indicatorText } from '../../texts/api-names.ts';

/** Measurements that are equal for all strategies, by the hosts before and after their plans. */
export interface ComparedPlan {
  /** Deviations over enabled hosts before and after, as a fraction of 1. */
  vcpus: [before: number, after: number];
  memory: [before: number, after: number];
  /** Hosts with instances. */
  inUse: [before: number, after: number];
  /** Allocation of the fullest host, as a fraction of 1. */
  fullest: [before: number, after: number];
  /** Instances that move. */
  moves: number;
  /** GiB that arrive on hosts which end with more than they had: the lower bound of copied memory. */
  gib: number;
  actions: number;
}

/** Measures a proposal. */
export function compared({ hosts, actions }: Pick<AuditPreview, 'hosts' | 'actions'>): ComparedPlan {
  const at = (moment: 'before' | 'after') => hosts.map((host) => ({ host, use: host[moment] }));
  const both = (measure: (rows: ReturnType<typeof at>) => number): [number, number] => [
    measure(at('before')),
    measure(at('after')),
  ];
  const enabled = (rows: ReturnType<typeof at>) => rows.filter(({ use }) => use.enabled || use.instances > 0);
  return {
    vcpus: both((rows) => deviation(enabled(rows).map(({ host, use }) => share(host, use, 'vcpus')))),
    memory: both((rows) => deviation(enabled(rows).map(({ host, use }) => share(host, use, 'memory')))),
    inUse: both((rows) => rows.filter(({ use }) => use.instances > 0).length),
    fullest: both((rows) =>
      rows.reduce((most, { host, use }) => Math.max(most, share(host, use, 'vcpus'), share(host, use, 'memory')), 0),
    ),
    moves: hosts.reduce((sum, host) => sum + host.instances_out, 0),
    gib: hosts.reduce((sum, { before, after }) => sum + Math.max(0, after.memory - before.memory), 0) / 1024,
    actions: actions.length,
  };
}

function share({ capacity }: HostBeforeAfter, use: HostUse, resource: 'vcpus' | 'memory'): number {
  return capacity[resource] > 0 ? use[resource] / capacity[resource] : 0;
}

function deviation(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** A change in words: `25.7 % → 10.0 %`, or the one number that stays. */
export function changeText([before, after]: [number, number], written: (value: number) => string = shareText): string {
  return written(before) === written(after) ? written(after) : `${written(before)} → ${written(after)}`;
}

/** The strategy's goal in a number: deviation of the load, or part of the possible gain. Null if it has none. */
export function goalText({ indicators, strategy }: Pick<AuditPreview, 'indicators' | 'strategy'>): string | null {
  const known = withUnits(indicators, strategy);
  for (const { before, after } of quantities) {
    const [from, to] = [before, after].map((name) => known.find((indicator) => indicator.name === name));
    if (typeof from?.value === 'number' && typeof to?.value === 'number')
      return `${indicatorText(before, from.value, from.unit)} → ${indicatorText(after, to.value, to.unit)}`;
  }
  const share = gainedShare(indicators);
  return share === undefined ? null : minimumShareText(share);
}
