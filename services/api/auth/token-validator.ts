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
    /** Goes around a question to Keystone. Default: it is asked at once. */
    admit?: (ask: () => Promise<ValidatedToken | null>) => Promise<ValidatedToken | null>;
  },
) => Promise<ValidatedToken | null>;

/**
 * Asks Keystone once per token and `cacheMs` (so a revoked token is refused after that time at the latest), never past
 * the token's expiry. Requests that come while Keystone is being asked wait for the same answer. Tokens are kept as
 * digests only, refusals are not kept, and the cache is bounded (what was not requested longest goes).
 * @throws OpenStackError when Keystone cannot be asked.
 */
export function createTokenValidator(identity: IdentityPort, clock: Clock, cacheMs: number): TokenValidator {
  const cache = createRecentMap<string, { token: ValidatedToken; until: number }>(cacheEntries);
  const asked = new Map<string, Promise<ValidatedToken | null>>();

  async function ask(key: string, token: string, options: Parameters<TokenValidator>[1]) {
    const { admit, ...asked } = options;
    const question = () => identity.validate(token, asked);
    const validated = await (admit ? admit(question) : question());
    if (!validated) return null;
    const expiry = Date.parse(validated.expiresAt);
    // What Keystone lets pass although it has expired is requested each time.
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
    // Who was valid a moment ago is no stranger.
    const asking = known ? { ...options, admit: undefined } : options;
    const pending = asked.get(key) ?? ask(key, token, asking).finally(() => asked.delete(key));
    asked.set(key, pending);
    return pending;
  };
}
