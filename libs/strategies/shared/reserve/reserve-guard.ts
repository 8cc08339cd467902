import type { WhatIf } from '#libs/cluster-model';
import type { PlacementGuard } from '#libs/plugin-kit';
import { acceptingHosts } from '../hosts/rows.ts';
import { createDomainPlaces, createSizes, type DomainPlaces } from './domain-places.ts';
import { failureDomains } from './failure-domains.ts';

interface Domain {
  places: DomainPlaces;
  /** Slack that it must keep: zero, or the shortage at the start. */
  least: number[];
}

interface ReserveGuard extends PlacementGuard {
  /**
   * Whether, at the last check, every domain that broke its reserve surely lacked it before: at the start, or after a
   * repair. True when all kept it.
   */
  keepsWhole(): boolean;
}

/**
 * Guards the reserve of every failure domain while instances move. The shortage of a domain must not grow, except by
 * instances that leave a host to be emptied. Starts with the current model.
 * @param reserve hosts of each domain that may fail simultaneously; 0: no reserve, which is always kept
 */
export function createReserveGuard(model: WhatIf, reserve: number): ReserveGuard {
  if (reserve === 0) return { keeps: () => true, keepsWhole: () => true };
  const sizes = createSizes(model);
  const of: Domain[][] = model.snapshot.hostInfo.map(() => []);
  for (const found of failureDomains(model.snapshot, acceptingHosts(model))) {
    const places = createDomainPlaces(model, found, sizes, reserve);
    const domain = { places, least: places.slack().map((slack) => Math.min(0, slack)) };
    for (const host of found.hosts) of[host]!.push(domain);
  }
  const lacking = new Set<Domain>();
  const isShort = ({ places, least }: Domain) => least.some((left, row) => left < 0 && row >= places.estimates);
  return {
    keeps(changed, repairs = false) {
      const hosts = [...changed];
      for (const host of hosts) for (const { places } of of[host]!) places.refresh(host);
      for (const domain of new Set(hosts.flatMap((host) => of[host]!))) {
        const slack = domain.places.slack();
        if (repairs) domain.least = domain.least.map((most, row) => Math.min(most, slack[row]!));
        if (slack.every((left, row) => left >= domain.least[row]!)) lacking.delete(domain);
        else lacking.add(domain);
      }
      return lacking.size === 0;
    },
    keepsWhole: () => [...lacking].every(isShort),
  };
}
