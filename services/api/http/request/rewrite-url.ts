/** First path segments that are served in addition to `/v1`. */
const ownPaths = new Set([
  'v1',
  'healthcheck',
  'healthz',
  'readyz',
  'metrics',
  'openapi.json',
  'internal',
  'dashboard',
]);

/**
 * The URL that is routed instead of the received one. Repeated and trailing slashes are removed, `%2F` separates
 * segments, and a `.json` suffix is dropped. A path without version gets the prefix `/v1` (Watcher's bookmark links
 * have none). A proxy may keep or strip `mountPrefix`.
 */
export function rewriteUrl(url: string, mountPrefix = ''): string {
  const cut = url.indexOf('?');
  const path = withoutPrefix(cut === -1 ? url : url.slice(0, cut), mountPrefix);
  const query = cut === -1 ? '' : url.slice(cut);
  const segments = path.replaceAll(/%2f/gi, '/').split('/').filter(Boolean);
  const [first] = segments;
  if (first === undefined) return `/${query}`;
  // Paths below them belong to the document's and the dashboard's own routing.
  if (first === 'docs' || first === 'dashboard') return `${path}${query}`;
  const document = segments.join('/');
  if (document === 'openapi.json' || document === 'internal/openapi.json') return `/${document}${query}`;
  const last = segments[segments.length - 1] ?? '';
  // `.json` alone is a name, except for the root.
  segments[segments.length - 1] = segments.length > 1 && last === '.json' ? last : last.replace(/\.json$/, '');
  const routed = segments.filter(Boolean);
  if (routed.length === 0) return `/${query}`;
  const prefix = ownPaths.has(first) || ownPaths.has(routed[0] ?? '') ? '' : '/v1';
  return `${prefix}/${routed.join('/')}${query}`;
}

function withoutPrefix(path: string, prefix: string): string {
  const isUnder = prefix !== '' && (path === prefix || path.startsWith(`${prefix}/`));
  return isUnder ? path.slice(prefix.length) : path;
}

/** Whether `path` (as routed) belongs to the versioned API, where authentication and microversions apply. */
export function isVersioned(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/') || path.startsWith('/v1?');
}

/** Whether `path` (as routed) belongs to the internal surface, which operators and the dashboard use. */
export function isInternal(path: string): boolean {
  return path.startsWith('/internal/') || path === '/internal' || path.startsWith('/internal?');
}

/** Whether a request of `path` (as routed) needs an identity. */
export function needsIdentity(path: string): boolean {
  return isVersioned(path) || isInternal(path);
}
