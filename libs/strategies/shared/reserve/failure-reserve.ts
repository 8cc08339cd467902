import type { WhatIf } from '#libs/cluster-model';
import { counted } from '#libs/domain';
import { hostAt } from '../hosts/rows.ts';
import type { BlockedTally } from '../report/blocked-tally.ts';
import { createDomainPlaces, createSizes, type DomainPlaces } from './domain-places.ts';
import { failureDomains } from './failure-domains.ts';

/**
 * Schema of a parameter that reserves room for failures in every failure domain. Watcher has no such parameter, so it
 * has no default.
 */
export const failureReserveSchema = {
  'x-texts': { de: { title: 'Reserve für Ausfälle' } },
  description:
    'Hosts of every failure domain (zone, aggregate reserved for projects, flavors, images or traits, cell) that ' +
    'may fail simultaneously: the others have room for their instances. Default: `VIGIL_FAILURE_RESERVE`, which ' +
    'is 1; 0: no reserve.',
  type: 'integer',
  minimum: 0,
  maximum: 10,
} as const;

/** Name of the constraint in reports. */
export const failureReserveConstraint = 'failure-reserve';

/** Maximum number of hosts that an explanation names. */
const namedHosts = 10;

interface Domain {
  name: string;
  places: DomainPlaces;
  /** Slack after the last accepted change. If the reserve is already missing, it must not get worse. */
  slack: number[];
}

/** Checks the reserve of every failure domain while hosts are emptied. */
export interface FailureReserve {
  /** Whether the host must stay, for any destination of its instances. Kept hosts are remembered for the report. */
  needs(host: number): boolean;
  /**
   * Takes a host out of use after the model has moved its instances to `destinations`. Returns false when a domain
   * would lack its reserve. The host is then needed: the caller reverts the moves and calls `keep`.
   */
  release(host: number, destinations: Iterable<number>): boolean;
  /** Must be called when a host is in use again, with its instances. */
  keep(host: number, destinations: Iterable<number>): void;
  /** Counts the kept hosts and returns their notes for the report. */
  report(blocked: BlockedTally): string[];
}

/**
 * Starts with the current model.
 * @param hosts rows of hosts that accept instances; @param reserve hosts of a domain that may fail simultaneously. 0:
 * no reserve
 */
export function createFailureReserve(model: WhatIf, hosts: readonly number[], reserve: number): FailureReserve {
  const sizes = createSizes(model);
  const domainsOf = new Map<number, Domain[]>();
  const kept = new Map<number, string>();
  if (reserve > 0) {
    for (const found of failureDomains(model.snapshot, hosts)) {
      const places = createDomainPlaces(model, found, sizes, reserve);
      const domain = { name: found.name, places, slack: places.slack() };
      for (const host of found.hosts) {
        const known = domainsOf.get(host);
        if (known === undefined) domainsOf.set(host, [domain]);
        else known.push(domain);
      }
    }
  }
  const of = (host: number) => domainsOf.get(host) ?? [];
  const isWorse = (slack: number[], domain: Domain) =>
    slack.some((left, row) => left < 0 && left < (domain.slack[row] as number));

  function refresh(host: number, destinations: Iterable<number>): Domain[] {
    const touched = new Set([host, ...destinations]);
    for (const row of touched) for (const { places } of of(row)) places.refresh(row);
    return [...new Set([...touched].flatMap(of))];
  }

  return {
    needs(host) {
      const domain = of(host).find((candidate) => isWorse(candidate.places.slackAtBestWithout(host), candidate));
      if (domain !== undefined) kept.set(host, domain.name);
      return domain !== undefined;
    },
    release(host, destinations) {
      for (const { places } of of(host)) places.setInUse(host, false);
      const slacks = refresh(host, destinations).map((domain) => ({ domain, slack: domain.places.slack() }));
      const lacking = slacks.find(({ domain, slack }) => isWorse(slack, domain));
      if (lacking !== undefined) {
        kept.set(host, lacking.domain.name);
        return false;
      }
      for (const { domain, slack } of slacks) domain.slack = slack;
      return true;
    },
    keep(host, destinations) {
      for (const { places } of of(host)) places.setInUse(host, true);
      for (const domain of refresh(host, destinations)) domain.slack = domain.places.slack();
    },
    report(blocked) {
      const names = [...kept].map(([host, domain]) => ({ host: hostAt(model.snapshot, host).hostname, domain }));
      for (const { host } of names) blocked.add(failureReserveConstraint, host);
      if (names.length === 0) return [];
      const listed = names.slice(0, namedHosts).map(({ host, domain }) => `${host} (${domain})`);
      const more = names.length > namedHosts ? ` and ${names.length - namedHosts} more` : '';
      return [
        `${listed.join(', ')}${more} ${names.length === 1 ? 'stays' : 'stay'} in use as the reserve for the failure of ${counted(reserve, 'host')} of each domain`,
      ];
    },
  };
}
