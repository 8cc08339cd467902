import type { WhatIf } from '#libs/cluster-model';
import { counted } from '#libs/domain';
import { acceptingHosts, hostAt } from '../shared/hosts/rows.ts';
import type { BlockedTally } from '../shared/report/blocked-tally.ts';
import { failureDomains } from '../shared/reserve/failure-domains.ts';
import { failureReserveConstraint } from '../shared/reserve/failure-reserve.ts';
import { watchReserve } from '../shared/reserve/reserve-changes.ts';

/** Maximum number of waiting nodes that the report names. */
const namedNodes = 10;

/**
 * Order among nodes that share a failure domain. The first node may always enter maintenance, since it could never be
 * done otherwise. A second node may only when the domain keeps its reserve.
 */
export interface DomainTurns {
  /**
   * Takes a node out of use. Returns false when it must wait for another node of its domains. The node then stays in
   * use and is remembered for the report.
   * @param destinations hosts to which the model has moved its instances
   */
  leave(host: number, destinations?: Iterable<number>): boolean;
  /** Puts a node back into use, with its instances. */
  stay(host: number, destinations?: Iterable<number>): void;
  /** Counts the waiting nodes, and returns a note for each. */
  report(blocked: BlockedTally): string[];
}

/**
 * Starts with the current model.
 * @param working rows of the nodes in maintenance; @param reserve hosts of a domain that may fail at once, 0 for no
 * reserve
 */
export function createDomainTurns(model: WhatIf, working: readonly number[], reserve: number): DomainTurns {
  const out = new Set(working);
  const waiting = new Map<number, { other: number; domain: string }>();
  const watch = watchReserve(
    model,
    model.snapshot.hostInfo.map((_, row) => model.enabled[row] === 1 && !out.has(row)),
    Math.max(1, reserve),
  );

  function refresh(host: number, destinations: Iterable<number>): void {
    for (const row of new Set([host, ...destinations])) watch.refresh(row);
  }

  /** A node out of use that shares a domain without reserve with the host. */
  function conflict(host: number): { other: number; domain: string } | null {
    if (reserve === 0 || out.size === 0) return null;
    const lacking = watch.lacking(host);
    for (const domain of lacking)
      for (const other of out) if (other !== host && watch.shares(domain, other)) return { other, domain };
    return null;
  }

  return {
    leave(host, destinations = []) {
      watch.setInUse(host, false);
      refresh(host, destinations);
      const found = conflict(host);
      if (found === null) {
        waiting.delete(host);
        out.add(host);
        return true;
      }
      waiting.set(host, found);
      out.delete(host);
      watch.setInUse(host, true);
      return false;
    },
    stay(host, destinations = []) {
      out.delete(host);
      watch.setInUse(host, true);
      refresh(host, destinations);
    },
    report(blocked) {
      const nameOf = (host: number) => hostAt(model.snapshot, host).hostname;
      for (const host of waiting.keys()) blocked.add(failureReserveConstraint, nameOf(host));
      const notes = [...waiting].slice(0, namedNodes).map(([host, { other, domain }]) => {
        const room = `room for the failure of ${counted(reserve, 'host')}`;
        return `${nameOf(host)} waits for ${nameOf(other)}: ${domain} keeps ${room}`;
      });
      const more = waiting.size - notes.length;
      return more > 0
        ? [...notes, `${counted(more, 'further node', ['waits', 'wait'])} for other nodes of the failure domain`]
        : notes;
    },
  };
}

/** Notes on domains that a node leaves without a host in use. */
export function lastOfDomains(model: WhatIf, host: number): string[] {
  const inUse = [...new Set([...acceptingHosts(model), host])];
  const names = failureDomains(model.snapshot, inUse).flatMap(({ name, hosts, isPart }) =>
    isPart !== true && hosts.length === 1 && hosts[0] === host ? name : [],
  );
  if (names.length === 0) return [];
  const { hostname } = hostAt(model.snapshot, host);
  const rail = 'the applier refuses to disable the last one of a zone or aggregate';
  return [`${hostname} is the last host in use of ${names.join(', ')}; ${rail}`];
}
