import type { Clock, Logger } from '#libs/domain';
import { untilAborted } from '#libs/service-kit';
import { OpenStackError } from '../errors.ts';
import type { CatalogueEntry } from './catalogue.ts';
import type { FetchedToken } from './token-fetch.ts';
import type { Requester } from './types.ts';

/** A token that may be used now. */
interface CurrentToken {
  token: string;
  catalogue: readonly CatalogueEntry[];
  requester: Requester | null;
}

/** Holds one token. Any number of callers share one fetch. */
export interface TokenCache {
  current(signal?: AbortSignal): Promise<CurrentToken>;
  /** Fetches a token now, for a fresh catalogue. When Keystone fails temporarily, the old token stays in use. */
  renewed(signal?: AbortSignal): Promise<CurrentToken>;
  /** Drops this token, unless another one has replaced it. */
  invalidate(token: string): void;
}

/** A token is renewed this long before its end (at most half its life). */
const marginMs = 60_000;

interface Held extends CurrentToken {
  renewAtMs: number;
  endsAtMs: number;
}

/** A cache for `fetch`. When a renewal fails temporarily, the old token stays in use until it expires. */
export function createTokenCache(
  deps: { clock: Clock; logger: Logger },
  fetch: () => Promise<FetchedToken>,
): TokenCache {
  let held: Held | null = null;
  let pending: Promise<Held> | null = null;

  async function renew(): Promise<Held> {
    const before = deps.clock.now();
    try {
      const fetched = await fetch();
      const margin = Math.min(marginMs, fetched.lifetimeMs / 2);
      const endsAtMs = before + fetched.lifetimeMs;
      const { token, catalogue, requester } = fetched;
      held = { token, catalogue, requester, endsAtMs, renewAtMs: endsAtMs - margin };
      return held;
    } catch (error) {
      if (held === null || before >= held.endsAtMs || !isPassing(error)) throw error;
      deps.logger.warn({ err: error }, 'cannot renew Keystone token, using the old one');
      return held;
    } finally {
      pending = null;
    }
  }

  return {
    async current(signal) {
      if (held !== null && deps.clock.now() < held.renewAtMs) return held;
      pending ??= renew();
      return unlessAborted(pending, signal);
    },
    renewed(signal) {
      pending ??= renew();
      return unlessAborted(pending, signal);
    },
    invalidate(token) {
      if (held?.token === token) held = null;
    },
  };
}

function isPassing(error: unknown): boolean {
  return error instanceof OpenStackError && error.category === 'retryable';
}

/** The shared fetch continues when one of its callers gives up. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return untilAborted(promise, signal).catch((cause: unknown) => {
    if (!signal.aborted || cause !== signal.reason) throw cause;
    throw new OpenStackError('identity', 'POST /v3/auth/tokens', 0, 'cancelled by the caller', { cause });
  });
}
