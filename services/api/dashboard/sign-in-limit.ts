import { isIPv6 } from 'node:net';
import { type Clock, doublingPause } from '#libs/domain';
import { createRecentMap } from '#libs/service-kit';
import { ApiFault } from '../http/faults/fault.ts';

/** Burst of attempts. One more becomes available every `refillMs`. */
const burst = 10;
const refillMs = 15_000;
const maxKeys = 10_000;
/** Delay of an attempt for a user with too many of them. It doubles with each further one. */
const waits = { firstMs: 250, longestMs: 4000 };

/** An attempt to sign in, as the client states it. */
interface SignInAttempt {
  address: string;
  domain: string;
  user: string;
}

/**
 * Counts an attempt and returns the delay in milliseconds.
 * @throws ApiFault 429 when its address has made too many, alone or for this user.
 */
export type SignInLimit = (attempt: SignInAttempt) => number;

/**
 * Limits sign-in attempts: a burst of ten by address and by address and user, then four a minute, for each process.
 * Attempts by others with a user's name never lock that user out. Too many attempts for one user, from any address, are
 * only delayed.
 */
export function createSignInLimit(clock: Clock): SignInLimit {
  const used = createRecentMap<string, { count: number; at: number }>(maxKeys);

  function countOf(key: string): number {
    const known = used.get(key);
    return known ? Math.max(0, known.count - (clock.now() - known.at) / refillMs) : 0;
  }

  function count(key: string): void {
    const before = countOf(key);
    used.set(key, { count: before + 1, at: clock.now() });
  }

  return ({ address, domain, user }) => {
    const from = networkOf(address);
    const who = `user ${normal(domain)} ${normal(user)}`;
    const refusing = [`address ${from}`, `address ${from} ${who}`];
    if (refusing.some((key) => countOf(key) > burst - 1)) {
      throw new ApiFault(429, 'Too many attempts to sign in; wait a minute and try again');
    }
    const tooMany = Math.floor(countOf(who) - (burst - 1));
    for (const key of [...refusing, who]) count(key);
    return tooMany > 0 ? doublingPause(tooMany - 1, waits) : 0;
  };
}

/** Keystone ignores case in names. Spaces and Unicode forms do not make a different user either. */
function normal(name: string): string {
  return JSON.stringify(name.normalize('NFKC').trim().toLowerCase());
}

/** An IPv6 client has 2^64 addresses, which count as one. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const middle = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  return [...first, ...middle, ...last].slice(0, 4).join(':');
}
