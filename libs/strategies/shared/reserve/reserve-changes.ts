import type { WhatIf } from '#libs/cluster-model';
import type { ReserveChange } from '#libs/domain';
import { createDomainPlaces, createSizes, type DomainPlaces } from './domain-places.ts';
import { failureDomains } from './failure-domains.ts';

/** Checks the room for host failures of each failure domain while a plan is applied to a model. */
export interface ReserveWatch {
  /** Must be called when the instances of a host have changed. */
  refresh(host: number): void;
  /** Must be called when a host starts or stops accepting instances. */
  setInUse(host: number, inUse: boolean): void;
  /** Names of domains that have lost or regained their reserve since the start. */
  changes(): ReserveChange[];
  /** Domains of a host that currently lack the reserve. */
  lacking(host: number): string[];
  /** Whether a host belongs to a domain. */
  shares(domain: string, host: number): boolean;
}

interface WatchedDomain {
  name: string;
  places: DomainPlaces;
  hadReserve: boolean;
}

/**
 * Starts with the current model.
 * @param inUse whether each host accepts instances, by row; @param reserve hosts of a domain that may fail
 * simultaneously, from 1. Default 1, the default of strategies.
 */
export function watchReserve(model: WhatIf, inUse: readonly boolean[], reserve = 1): ReserveWatch {
  const sizes = createSizes(model);
  const domains: WatchedDomain[] = [];
  const domainsOf = new Map<number, WatchedDomain[]>();
  for (const found of failureDomains(model.snapshot, [...inUse.keys()])) {
    const places = createDomainPlaces(model, found, sizes, reserve);
    for (const host of found.hosts) places.setInUse(host, inUse[host] === true);
    const domain = { name: found.name, places, hadReserve: hasReserve(places) };
    domains.push(domain);
    for (const host of found.hosts) domainsOf.set(host, [...(domainsOf.get(host) ?? []), domain]);
  }
  const of = (host: number) => domainsOf.get(host) ?? [];
  return {
    refresh(host) {
      for (const { places } of of(host)) places.refresh(host);
    },
    setInUse(host, value) {
      for (const { places } of of(host)) places.setInUse(host, value);
    },
    changes() {
      const changed = domains.filter(({ places, hadReserve }) => hasReserve(places) !== hadReserve);
      return changed
        .map(({ name, hadReserve }): ReserveChange => ({ domain: name, change: hadReserve ? 'lost' : 'gained' }))
        .sort((a, b) => (a.domain < b.domain ? -1 : 1));
    },
    lacking(host) {
      return of(host).flatMap(({ name, places }) => (hasReserve(places) ? [] : name));
    },
    shares(domain, host) {
      return of(host).some(({ name }) => name === domain);
    },
  };
}

const hasReserve = (places: DomainPlaces) => places.slack().every((left) => left >= 0);
