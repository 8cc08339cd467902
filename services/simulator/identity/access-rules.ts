import type { Token } from './token-store.ts';

/** `service_type` of each service's middleware, by the first part of the path. */
const serviceTypes: Readonly<Record<string, string>> = {
  identity: 'identity',
  compute: 'compute',
  placement: 'placement',
  volume: 'block-storage',
  network: 'network',
  image: 'image',
  baremetal: 'baremetal',
};

/**
 * Whether the access rules of a token's application credential allow a request, as in keystonemiddleware. The rules do
 * not apply to requests with a service token.
 */
export function allowsRequest(
  token: Token,
  { method, url, headers }: { method: string; url: string; headers: Readonly<Record<string, unknown>> },
): boolean {
  const rules = token.applicationCredential?.accessRules ?? null;
  if (rules === null || headers['x-service-token'] !== undefined) return true;
  const path = url.split('?', 1)[0] ?? '';
  const service = serviceTypes[path.split('/')[1] ?? ''];
  return rules.some((rule) => rule.service === service && rule.method === method && matches(path, rule.path));
}

const patternPart = /(?<tag>\{[^}]*\})|(?<many>\*\*)|(?<one>\*)|(?<literal>[^{}*])/g;

/** keystonemiddleware's `_path_matches`: `*` and `{tag}` match one segment, `**` any number. */
export function matches(path: string, pattern: string): boolean {
  const parts = [...pattern.matchAll(patternPart)].map(({ groups }) => {
    if (groups?.many !== undefined) return '.*';
    return groups?.literal ?? '[^/]+';
  });
  return new RegExp(`^${parts.join('')}$`).test(path);
}
