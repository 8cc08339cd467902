import { createHintLinks, type WhatIf } from '#libs/cluster-model';

/** Destinations that were refused and still are, so that the search need not request them again after every move. */
export interface RefusalMemo {
  /**
   * 1 for each host row that refused the instance. Null for an instance that other moves than those off a host may
   * free.
   */
  of(instance: number): Uint8Array | null;
  /** To be called when an instance has left a host. A host that only fills up keeps its refusals. */
  freed(host: number): void;
}

/**
 * Knows nothing at the start. Instances of server groups, those bound by hints, and any where the operator has rules,
 * are requested each time.
 */
export function createRefusalMemo({ snapshot }: WhatIf): RefusalMemo {
  const { instances, groups, rules, hostInfo } = snapshot;
  const byInstance = new Map<number, Uint8Array>();
  const { involved } = createHintLinks(snapshot);
  const hasRules = rules !== undefined && rules.length > 0;
  return {
    of(instance) {
      if (hasRules || involved.has(instance) || groups[instances.group[instance] as number] !== undefined) return null;
      let known = byInstance.get(instance);
      if (known === undefined) {
        known = new Uint8Array(hostInfo.length);
        byInstance.set(instance, known);
      }
      return known;
    },
    freed(host) {
      for (const known of byInstance.values()) known[host] = 0;
    },
  };
}
