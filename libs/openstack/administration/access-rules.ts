import { OpenStackError } from '../errors.ts';
import type { Identity } from '../identity/identity.ts';
import {
  baremetalService,
  blockStorageService,
  computeService,
  imageService,
  networkService,
  placementService,
  type ServiceDefinition,
} from '../service/service-definition.ts';

/** One kind of request to a service that has an endpoint in the catalogue. */
export interface AccessRule {
  /** Official type of the service, such as `compute` or `block-storage`. */
  service: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the base URL of the service, with a leading `/`. `*` is any text without `/`, `**` any text. */
  path: string;
}

/** An access rule in Keystone's form: complete path of the URL, type of the service as in the catalogue. */
export interface KeystoneAccessRule {
  service: string;
  method: string;
  path: string;
}

const definitions: readonly ServiceDefinition[] = [
  computeService,
  placementService,
  blockStorageService,
  baremetalService,
  imageService,
  networkService,
];

/** First segment of a path that names a version of an API, such as `/v2.1`. */
const version = /\/v\d+(\.\d+)?(?=\/|$)/;

/**
 * Translates access rules for one cloud, without duplicates. Omits rules of services that the catalogue lacks. A
 * service whose catalogue has several of its types gets a rule for each. Behind a path such as `/compute` a service
 * may see the path with or without that part, so both are given. Version documents of the services are readable.
 * @throws OpenStackError when Keystone is unavailable.
 */
export async function toKeystoneRules(
  identity: Pick<Identity, 'endpoint' | 'serviceTypes'>,
  rules: readonly AccessRule[],
): Promise<KeystoneAccessRule[]> {
  const types = [...new Set(rules.map(({ service }) => service))];
  const all = await Promise.all(types.map((type) => rulesOf(identity, type, rules)));
  return [...new Map(all.flat().map((rule) => [JSON.stringify(rule), rule])).values()];
}

async function rulesOf(
  identity: Pick<Identity, 'endpoint' | 'serviceTypes'>,
  type: string,
  rules: readonly AccessRule[],
): Promise<KeystoneAccessRule[]> {
  const endpoint = await identity.endpoint(type);
  if (endpoint === null) return [];
  const definition = definitions.find((each) => each.type === type);
  const base = pathOf(definition?.baseUrl(endpoint) ?? endpoint);
  const documents = (definition?.versionUrls(endpoint) ?? []).map((url) => ({
    method: 'GET',
    path: `${pathOf(url)}/`,
  }));
  const wanted = rules
    .filter(({ service }) => service === type)
    .map(({ method, path }) => ({ method, path: `${base}${path}` }));
  const services = await identity.serviceTypes(type);
  return [...documents, ...wanted].flatMap(({ method, path }) =>
    pathsOf(path).flatMap((each) => services.map((service) => ({ service, method, path: each }))),
  );
}

/** The path, and the path without the part before the version. */
function pathsOf(path: string): string[] {
  const place = path.search(version);
  return place > 0 ? [path, path.slice(place)] : [path];
}

function pathOf(url: string): string {
  return new URL(url).pathname.replace(/\/+$/, '');
}

/**
 * A part of a path that matches exactly this id. Keystone's middleware treats other text as a regular expression.
 * @throws OpenStackError when the id has characters other than letters, digits, `_`, `-` and `~`.
 */
export function literalSegment(id: string): string {
  if (/^[\w~-]+$/.test(id)) return id;
  throw new OpenStackError('identity', 'access rules', 400, `${JSON.stringify(id)} cannot be part of an access rule`);
}
