import type { SimulatedHost, SimulatedServer } from '../cloud/entities.ts';
import { NoValidHostError } from '../errors.ts';
import type { FilterContext, ScheduleRequest } from './host-filter.ts';
import { hostFilters } from './host-filters.ts';

/** Name of the first filter that refuses the host. Null when the host is suitable. */
export function refusalOf(host: SimulatedHost, request: ScheduleRequest, context: FilterContext): string | null {
  return hostFilters.find((filter) => !filter.passes(host, request, context))?.name ?? null;
}

/**
 * The destination that the simulated Nova selects: the requested host if all filters accept it, otherwise the best
 * accepted host, by soft policies, free memory, then name. @throws NoValidHostError
 */
export function selectHost(request: ScheduleRequest, context: FilterContext): SimulatedHost {
  const candidates = request.requested === null ? context.state.hosts.values() : [request.requested];
  const reasons = new Map<string, number>();
  let best: { host: SimulatedHost; soft: number; free: number } | null = null;
  for (const host of candidates) {
    const refusal = refusalOf(host, request, context);
    if (refusal !== null) {
      reasons.set(refusal, (reasons.get(refusal) ?? 0) + 1);
      continue;
    }
    const rated = { host, soft: softScore(host, request.server), free: freeMemory(host, context) };
    if (best === null || isBetter(rated, best)) best = rated;
  }
  if (best === null) throw new NoValidHostError(reasons);
  return best.host;
}

type Rated = { host: SimulatedHost; soft: number; free: number };

function isBetter(a: Rated, b: Rated): boolean {
  if (a.soft !== b.soft) return a.soft > b.soft;
  if (a.free !== b.free) return a.free > b.free;
  return a.host.name < b.host.name;
}

function softScore(host: SimulatedHost, server: SimulatedServer): number {
  const policy = server.group?.policy;
  if (policy !== 'soft-affinity' && policy !== 'soft-anti-affinity') return 0;
  const together = [...(server.group?.members ?? [])].filter(
    (member) => member !== server && member.host === host,
  ).length;
  return policy === 'soft-affinity' ? together : -together;
}

function freeMemory(host: SimulatedHost, context: FilterContext): number {
  const { total, reserved, allocationRatio } = host.inventory.MEMORY_MB;
  return (total - reserved) * allocationRatio - context.ledger.usage(host).MEMORY_MB;
}
