import { createHash } from 'node:crypto';
import type { Clock } from '#libs/domain';
import type { IdentityPort, ValidatedToken } from '#libs/openstack';

/** Longest time that a validated token is believed without asking Keystone again. */
const cacheMs = 60_000;
const cacheEntries = 2000;

/** Validates a token; null when Keystone does not accept it. */
export type TokenValidator = (token: string, requestId: string) => Promise<ValidatedToken | null>;

/**
 * Asks Keystone once a minute per token, never past the token's expiry. Tokens are kept as digests only, refusals are
 * not kept, and the cache is bounded (the oldest entry goes).
 * @throws OpenStackError when Keystone can not be asked.
 */
export function createTokenValidator(identity: IdentityPort, clock: Clock): TokenValidator {
  const cache = new Map<string, { token: ValidatedToken; until: number }>();
  return async (token, requestId) => {
    const key = createHash('sha256').update(token).digest('base64');
    const known = cache.get(key);
    if (known && known.until > clock.now()) return known.token;
    cache.delete(key);
    const validated = await identity.validate(token, { requestId });
    if (!validated) return null;
    const expiry = Date.parse(validated.expiresAt);
    const until = Math.min(clock.now() + cacheMs, Number.isNaN(expiry) ? Number.POSITIVE_INFINITY : expiry);
    if (cache.size >= cacheEntries) cache.delete(cache.keys().next().value ?? key);
    cache.set(key, { token: validated, until });
    return validated;
  };
}
