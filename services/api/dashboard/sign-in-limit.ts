import type { Clock } from '#libs/domain';
import { ApiFault } from '../http/fault.ts';

/** Attempts that may be made at once; one more becomes free every `refillMs`. */
const burst = 10;
const refillMs = 15_000;
const maxKeys = 10_000;

/** Counts attempts to sign in by each of `keys`. @throws ApiFault 429 when one of them has been tried too often. */
export type SignInLimit = (keys: readonly string[]) => void;

/** Limits attempts to sign in: ten at once by key (an address, a user), then four a minute, for each process. */
export function createSignInLimit(clock: Clock): SignInLimit {
  const used = new Map<string, { count: number; at: number }>();
  return (keys) => {
    const now = clock.now();
    const counts = keys.map((key) => {
      const known = used.get(key);
      return known ? Math.max(0, known.count - (now - known.at) / refillMs) : 0;
    });
    if (counts.some((count) => count > burst - 1))
      throw new ApiFault(429, 'Too many attempts to sign in; wait a minute and try again');
    keys.forEach((key, index) => {
      used.delete(key);
      if (used.size >= maxKeys) used.delete(used.keys().next().value ?? key);
      used.set(key, { count: (counts[index] ?? 0) + 1, at: now });
    });
  };
}
