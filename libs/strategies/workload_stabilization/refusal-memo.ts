import { createHintLinks, type WhatIf } from '#libs/cluster-model';

/** Destinations that were refused and still are, so that the search need not check them after every move. */
export interface RefusalMemo {
  /** 1 for each host row that refused the instance. Null for an instance whose refusals other moves may lift. */
  of(instance: number): Uint8Array | null;
  /** Must be called when an instance has left a host. A host that only fills up keeps its refusals. */
  freed(host: number): void;
}

/**
 * Creates an empty memo. It skips instances of server groups, instances with hints, and all instances when the
 * operator has rules.
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
