import { LeaseLostError, type Logger } from '#libs/domain';
import { startPeriodic } from './periodic.ts';

/** Which lease is kept, and how. */
export interface LeaseKeeperOptions {
  /** The leased resource, for messages, such as `audit <uuid>`. */
  resource: string;
  /** Length of the lease in milliseconds. Renewed every third of it. */
  ttlMs: number;
  /** Renews by database time. False when the lease has another holder. May throw when the database is unavailable. */
  renew(): Promise<boolean>;
  /** Least remaining time, in milliseconds, that `guard` accepts without renewing first. Default a third of `ttlMs`. */
  marginMs?: number;
  logger: Logger;
}

/** Holds a lease that was just taken, for as long as its work takes. */
export interface LeaseKeeper {
  /**
   * Fires with a LeaseLostError when the lease is lost or could not be renewed in time. The error has a cause when
   * renewals failed or had no response: then the store of leases was unavailable.
   */
  lost: AbortSignal;
  /**
   * To be awaited right before an outside change. Time is measured by the monotonic clock from the start of the last
   * successful renewal, so a process that was frozen notices before it acts.
   * @throws LeaseLostError
   */
  guard(): Promise<void>;
  /**
   * Does the write that gives the lease up, such as that of the end state, and returns its result. Renewals continue,
   * since the write may have to wait for the database. One that is refused during the write, or after it succeeded, is
   * no loss: if another process has the lease, the write fails on its fence.
   */
  ending<Result>(write: () => Promise<Result>): Promise<Result>;
  /** Stops renewing. The lease itself is the caller's to release. */
  stop(): Promise<void>;
}

/** Keeps a lease that was just taken, from now until it is stopped. */
export function createLeaseKeeper(options: LeaseKeeperOptions): LeaseKeeper {
  const { resource, ttlMs, logger, marginMs = ttlMs / 3 } = options;
  const losing = new AbortController();
  let renewedAt = performance.now();
  let renewing = 0;
  /** Writes that give the lease up, and run or have succeeded. */
  let endings = 0;
  let failure: unknown;

  function remaining(): number {
    return renewedAt + ttlMs - performance.now();
  }

  function lose(): never {
    const cause = failure ?? (renewing > 0 ? new Error('no response to renewals') : undefined);
    const error = new LeaseLostError(resource, cause === undefined ? undefined : { cause });
    if (!losing.signal.aborted) {
      logger.warn({ resource, cause }, 'lease lost, stopping this run');
      losing.abort(error);
    }
    throw error;
  }

  async function renew(): Promise<void> {
    if (losing.signal.aborted || remaining() <= 0) lose();
    const begin = performance.now();
    if (await ask()) renewedAt = begin;
    else if (endings === 0) lose();
  }

  async function ask(): Promise<boolean> {
    renewing += 1;
    try {
      const isHeld = await options.renew();
      failure = undefined;
      return isHeld;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      renewing -= 1;
    }
  }

  async function keep(): Promise<void> {
    try {
      await renew();
    } catch (error) {
      if (error instanceof LeaseLostError) return;
      if (remaining() <= 0) return lose();
      throw error;
    }
  }

  // Shorter than a third, so that a failed renewal is tried again before the margin is used up.
  const periodic = startPeriodic({
    name: `lease ${resource}`,
    everyMs: ttlMs / 4,
    immediately: false,
    run: keep,
    logger,
  });
  return {
    lost: losing.signal,
    async guard() {
      if (losing.signal.aborted) lose();
      if (remaining() > marginMs) return;
      await renew();
      if (remaining() <= marginMs) lose();
    },
    async ending(write) {
      endings += 1;
      try {
        return await write();
      } catch (error) {
        endings -= 1;
        throw error;
      }
    },
    async stop() {
      await periodic.stop();
    },
  };
}
