import type { PlanRowDetail } from '../api/list-types.ts';

type Quantity = keyof PlanRowDetail['hosts'][number]['shares'];

/**
 * The quantity that the headline of a plan is about: the measured CPU load where the plan evens out loads, else the
 * first improvement, else the scarcer of vCPUs and memory after the plan.
 */
export function stripQuantity({ plan, hosts }: PlanRowDetail): Quantity {
  const isAboutLoad = plan.headline.indicators.some(({ name }) => name === 'standard_deviation_before_audit');
  const isKnown = (quantity: Quantity) => hosts.every(({ shares }) => shares[quantity] !== undefined);
  const named = isAboutLoad ? 'cpu_load' : plan.headline.improvements?.[0]?.quantity;
  if (named && isKnown(named)) return named;
  const highest = (quantity: Quantity) => Math.max(0, ...hosts.map(({ shares }) => shares[quantity]?.after ?? 0));
  return highest('vcpus') > highest('memory') ? 'vcpus' : 'memory';
}
