import { urlPerHost } from '#libs/service-kit/env';

/**
 * One URL for each server of `postgres://user:password@a:5432,b:5432/database`. Null when it is not a PostgreSQL URL.
 */
export function postgresUrlsOf(text: string): [string, ...string[]] | null {
  const [first, ...others] = urlPerHost(text);
  if (first === undefined || ![first, ...others].every(isPostgresUrl)) return null;
  return [first, ...others];
}

/** The addresses and the database without user and password, for messages: `a:5432,b:5432/vigil`. */
export function describePostgresUrl(text: string): string {
  const urls = postgresUrlsOf(text);
  if (urls === null) return 'the database URL';
  return `${urls.map(postgresHostOf).join(',')}${new URL(urls[0]).pathname}`;
}

/** `host:port` of a URL with one server. */
export function postgresHostOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || '5432'}`;
}

/** A URL with further servers, each as `host:port`. Those that it has already are left out. */
export function addPostgresHosts(text: string, hosts: readonly string[]): string {
  const urls = postgresUrlsOf(text);
  if (urls === null) return text;
  const known = urls.map(postgresHostOf);
  const added = hosts.filter((host) => !known.includes(host));
  if (added.length === 0) return text;
  const { username, password, pathname, search, protocol } = new URL(urls[0]);
  const user = username === '' ? '' : `${username}${password === '' ? '' : `:${password}`}@`;
  return `${protocol}//${user}${[...known, ...added].join(',')}${pathname}${search}`;
}

/** Wait of every process for a connection to PostgreSQL, in milliseconds, unless it or the URL has its own limit. */
const defaultConnectTimeoutMs = 10_000;

/** Longest wait for a connection in milliseconds: `connect_timeout` of the URL in seconds, as libpq has it, or 10 s. */
export function connectTimeoutOf(text: string): number {
  const [first] = postgresUrlsOf(text) ?? [];
  const seconds = Number(first === undefined ? 0 : new URL(first).searchParams.get('connect_timeout'));
  return Number.isInteger(seconds) && seconds > 0 ? seconds * 1000 : defaultConnectTimeoutMs;
}

function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && ['postgres:', 'postgresql:'].includes(new URL(text).protocol);
}
