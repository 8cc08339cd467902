import { createHash } from 'node:crypto';
import type { Clock } from '#libs/domain';
import type { IdentityPort, ValidatedToken } from '#libs/openstack';
import { createRecentMap } from '#libs/service-kit';

const cacheEntries = 2000;

/** Validates a token. Null when Keystone does not accept it. */
export type TokenValidator = (
  token: string,
  options: {
    requestId: string;
    allowExpired?: boolean;
    /** Wraps a call to Keystone. Default: calls it directly. */
    admit?: (call: () => Promise<ValidatedToken | null>, token: string) => Promise<ValidatedToken | null>;
  },
) => Promise<ValidatedToken | null>;

/**
 * Validates each token with Keystone once per `cacheMs`, so a revoked token is refused after that time at the latest. A
 * cached result never outlives the token's expiry. Concurrent requests with the same token share one call. The cache
 * holds digests only, no refusals, and evicts the least recently used token.
 * @throws OpenStackError when Keystone is unavailable.
 */
export function createTokenValidator(identity: IdentityPort, clock: Clock, cacheMs: number): TokenValidator {
  const cache = createRecentMap<string, { token: ValidatedToken; until: number }>(cacheEntries);
  const rest = new Map<string, Promise<ValidatedToken | null>>();

  async function validate(key: string, token: string, options: Parameters<TokenValidator>[1]) {
    const { admit, ...rest } = options;
    const question = () => identity.validate(token, rest);
    const validated = await (admit ? admit(question, token) : question());
    if (!validated) return null;
    const expiry = Date.parse(validated.expiresAt);
    // Expired tokens that Keystone still accepts are not cached.
    if (!(expiry > clock.now())) return options.allowExpired ? validated : null;
    const until = Math.min(clock.now() + cacheMs, expiry);
    cache.set(key, { token: validated, until });
    return validated;
  }

  return async (token, options) => {
    const digest = createHash('sha256').update(token).digest('base64');
    const key = options.allowExpired ? `${digest} expired` : digest;
    const known = cache.get(key);
    if (known && known.until > clock.now()) return known.token;
    cache.delete(key);
    // A token that was valid a moment ago is not an unknown one.
    const adjusted = known ? { ...options, admit: undefined } : options;
    const pending = rest.get(key) ?? validate(key, token, adjusted).finally(() => rest.delete(key));
    rest.set(key, pending);
    return pending;
  };
}
