import type { MoveWay } from '#libs/domain';
import type { ComputeSnapshot } from '../compute-snapshot.ts';
import type { ConstraintName } from '../what-if.ts';
import { createHintLinks, type SameHostLink } from './hint-links.ts';

/** Effects of hints to Nova's scheduler on a move, updated with each move. */
export interface HintRules {
  /** The hint that keeps the instance in place, because only Nova can evaluate it. */
  immovable(instance: number): ConstraintName | null;
  refusal(instance: number, host: number, way?: MoveWay): ConstraintName | null;
  moved(instance: number, to: number): void;
}

const silent: HintRules = { immovable: () => null, refusal: () => null, moved: () => undefined };

/** Constraints of hints that are not evaluated. */
const unjudged: Record<string, ConstraintName> = { query: 'hint-query', build_near_host_ip: 'hint-near-host' };

function push<Value>(map: Map<number, Value[]>, row: number, value: Value): void {
  const known = map.get(row);
  if (known === undefined) map.set(row, [value]);
  else known.push(value);
}

/**
 * Whether links of `same_host` admit an instance to a host. Nova requires one of the named instances there. A named
 * instance stays with the instance that names it, unless another named one remains. From a failed host it may go
 * anywhere.
 */
export function keepsSameHost(
  links: readonly SameHostLink[],
  instance: number,
  host: number,
  { hostOf, way }: { hostOf(row: number): number; way?: MoveWay },
): boolean {
  return links.every((link) => {
    if (link.instance === instance) return link.named.some((row) => hostOf(row) === host);
    const keeper = hostOf(link.instance);
    if (way === 'evacuate' || keeper === host || keeper !== hostOf(instance)) return true;
    return link.named.some((row) => row !== instance && hostOf(row) === keeper);
  });
}

/** The links of `same_host` by each instance that they bind. */
export function sameHostLinks(snapshot: Pick<ComputeSnapshot, 'instanceInfo'>): ReadonlyMap<number, SameHostLink[]> {
  const links = new Map<number, SameHostLink[]>();
  for (const link of createHintLinks(snapshot).together)
    for (const row of [link.instance, ...link.named]) push(links, row, link);
  return links;
}

/** Hints of the instances of a snapshot, for one view on it. */
export function createHintRules(snapshot: ComputeSnapshot): HintRules {
  const { instances, instanceInfo } = snapshot;
  if (instanceInfo.every(({ hints }) => hints === undefined)) return silent;
  const { apart, involved } = createHintLinks(snapshot);
  const links = sameHostLinks(snapshot);
  const others = new Map<number, number[]>();
  for (const [one, other] of apart) {
    push(others, one, other);
    push(others, other, one);
  }
  const places = new Map([...involved].map((row) => [row, instances.host[row] as number]));
  const hostOf = (row: number) => places.get(row) ?? -1;

  return {
    immovable: (instance) => unjudged[instanceInfo[instance]?.hints?.unjudged?.[0] ?? ''] ?? null,
    refusal(instance, host, way) {
      if (!involved.has(instance)) return null;
      if (others.get(instance)?.some((other) => hostOf(other) === host)) return 'hint-different-host';
      return keepsSameHost(links.get(instance) ?? [], instance, host, { hostOf, way }) ? null : 'hint-same-host';
    },
    moved(instance, to) {
      if (involved.has(instance)) places.set(instance, to);
    },
  };
}
