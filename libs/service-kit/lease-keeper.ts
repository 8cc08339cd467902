import { LeaseLostError, type Logger } from '#libs/domain';
import { startPeriodic } from './periodic.ts';

/** The lease to keep, and its options. */
export interface LeaseKeeperOptions {
  /** The leased resource, for messages, such as `audit <uuid>`. */
  resource: string;
  /** Duration of the lease in milliseconds. It is renewed after every third of it. */
  ttlMs: number;
  /**
   * Renews by database time. Returns false when another holder has the lease. May throw when the database is
   * unavailable.
   */
  renew(): Promise<boolean>;
  /** Minimum remaining time, in milliseconds, with which `guard` skips the renewal. Default a third of `ttlMs`. */
  marginMs?: number;
  logger: Logger;
}

/** Holds a newly acquired lease during its work. */
export interface LeaseKeeper {
  /**
   * Aborted with a LeaseLostError when the lease is lost or could not be renewed in time. The error has a cause when
   * renewals failed or had no response: then the store of leases was unavailable.
   */
  lost: AbortSignal;
  /**
   * Must be awaited immediately before a change in the cloud. Uses the monotonic clock since the start of the last
   * successful renewal, so a process that was frozen detects it before the change.
   * @throws LeaseLostError
   */
  guard(): Promise<void>;
  /**
   * Runs the write that releases the lease, such as that of the end state, and returns its result. Renewals continue,
   * since the write may wait for the database. A renewal that is refused during or after the write is no loss: if
   * another process has the lease, the write fails by its fence.
   */
  ending<Result>(write: () => Promise<Result>): Promise<Result>;
  /** Stops the renewals. The caller releases the lease. */
  stop(): Promise<void>;
}

/** Keeps a newly acquired lease until `stop`. */
export function createLeaseKeeper(options: LeaseKeeperOptions): LeaseKeeper {
  const { resource, ttlMs, logger, marginMs = ttlMs / 3 } = options;
  const losing = new AbortController();
  let renewedAt = performance.now();
  let renewing = 0;
  /** Number of releasing writes that run or have succeeded. */
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
    if (await request()) renewedAt = begin;
    else if (endings === 0) lose();
  }

  async function request(): Promise<boolean> {
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

  // Shorter than a third, so that a failed renewal is retried before the margin ends.
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
