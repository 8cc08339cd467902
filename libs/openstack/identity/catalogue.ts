import type { EndpointInterface } from '../config/openstack-config.ts';

/** One endpoint of a service in the catalogue of a token. */
export interface CatalogueEntry {
  type: string;
  interface: string;
  region: string;
  url: string;
}

/** Names of a service type in catalogues, the official name first. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  'block-storage': ['block-storage', 'volumev3', 'block-store'],
  'shared-file-system': ['shared-file-system', 'sharev2', 'share'],
  baremetal: ['baremetal', 'bare-metal'],
};

/** The types of a service in a catalogue, the official type first. Only the official type if the catalogue has none. */
export function typesInCatalogue(catalogue: readonly CatalogueEntry[], serviceType: string): string[] {
  const names = aliases[serviceType] ?? [serviceType];
  const present = names.filter((name) => catalogue.some(({ type }) => type === name));
  return present.length === 0 ? [serviceType] : present;
}

/** The endpoints in a token's `catalog`. Malformed entries are ignored. */
export function parseCatalogue(catalog: unknown): CatalogueEntry[] {
  return records(catalog).flatMap((service) =>
    records(service.endpoints).map((endpoint) => ({
      type: text(service.type),
      interface: text(endpoint.interface),
      region: text(endpoint.region_id ?? endpoint.region),
      url: text(endpoint.url),
    })),
  );
}

/**
 * Base URL of a service without trailing slashes: an override, else the first matching catalogue entry. Null without a
 * match.
 */
export function findEndpoint(
  catalogue: readonly CatalogueEntry[],
  serviceType: string,
  options: { region: string | null; interface: EndpointInterface; overrides: Readonly<Record<string, string>> },
): string | null {
  for (const name of aliases[serviceType] ?? [serviceType]) {
    const override = options.overrides[name];
    if (override !== undefined) return override.replace(/\/+$/, '');
    const entry = catalogue.find(
      (candidate) =>
        candidate.type === name &&
        candidate.interface === options.interface &&
        (options.region === null || candidate.region === options.region) &&
        URL.canParse(candidate.url),
    );
    if (entry !== undefined) return entry.url.replace(/\/+$/, '');
  }
  return null;
}

/** One line that explains why `findEndpoint` found nothing, with the entries of the catalogue. */
export function explainMissingEndpoint(
  catalogue: readonly CatalogueEntry[],
  serviceType: string,
  options: { region: string | null; interface: EndpointInterface },
): string {
  const regions = distinct(catalogue.map((entry) => entry.region));
  if (options.region !== null && !regions.includes(options.region)) {
    return `the catalogue has no region ${options.region} (it has: ${regions.join(', ') || 'none'}); check OS_REGION_NAME`;
  }
  const place = options.region === null ? '' : ` in region ${options.region}`;
  const types = distinct(catalogue.map((entry) => entry.type));
  return (
    `the catalogue has no ${options.interface} endpoint of type ${serviceType}${place} ` +
    `(types it has: ${types.join(', ') || 'none'}); check OS_REGION_NAME and OS_INTERFACE or register the service`
  );
}

function distinct(values: string[]): string[] {
  return [...new Set(values)].sort();
}

function records(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item) => typeof item === 'object' && item !== null);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
