import type { Logger } from '#libs/domain';
import { type Cloud, type CloudCallOptions, OpenStackError } from '#libs/openstack';
import { retry } from '#libs/service-kit';

export interface PatienceOptions {
  /** Sent with every call to correlate the cloud's logs with Vigil's. */
  requestId: string;
  /** Ends the retries: the time budget is over, the lease is lost, or the process stops. */
  signal: AbortSignal;
  sleep(ms: number): Promise<void>;
  logger: Logger;
}

const pauses = { firstMs: 500, longestMs: 15_000 };

/** Names of read-only calls. */
const isRead = /^(list|get|find)/;

/**
 * Wraps a cloud: reads are repeated while it is overloaded or unavailable, until the signal fires. Changes are sent
 * once and never interrupted. Their caller handles a missing response.
 */
export function createPatientCloud(cloud: Cloud, options: PatienceOptions): Cloud {
  const { identity, compute, placement, volume, baremetal } = cloud;
  const changeOptions: CloudCallOptions = { requestId: options.requestId };
  const readOptions: CloudCallOptions = { requestId: options.requestId, signal: options.signal };

  function read<Result>(call: () => Promise<Result>): Promise<Result> {
    return retry(call, {
      pauses,
      sleep: options.sleep,
      isPassing(error) {
        options.signal.throwIfAborted();
        return error instanceof OpenStackError && error.category === 'retryable';
      },
      onFailure(error, tries) {
        const { request, status } = error as OpenStackError;
        options.logger.warn({ request, status, tries }, 'cloud unavailable, retrying');
      },
    });
  }

  /** Options are the last argument of every call. */
  function patient<Port extends object>(port: Port): Port {
    const calls = Object.entries(port).map(([name, call]) => {
      if (isRead.test(name)) return [name, (...given: unknown[]) => read(() => call(...given, readOptions))];
      return [name, (...given: unknown[]) => call(...given, changeOptions)];
    });
    return Object.fromEntries(calls) as Port;
  }

  return {
    ...cloud,
    identity: { ...identity, requester: () => read(() => identity.requester(readOptions)) },
    compute: patient(compute),
    placement: patient(placement),
    volume: patient(volume),
    baremetal: patient(baremetal),
  };
}
