import type { Logger } from '#libs/domain';
import { type Cloud, type CloudCallOptions, OpenStackError } from '#libs/openstack';
import { retry } from '#libs/service-kit';

export interface PatienceOptions {
  /** Sent with every call, so that the cloud's logs can be joined with ours. */
  requestId: string;
  /** Ends the patience: time budget over, lease lost, process ending. */
  signal: AbortSignal;
  sleep(ms: number): Promise<void>;
  logger: Logger;
}

const pauses = { firstMs: 500, longestMs: 15_000 };

/** Names of the calls that change nothing. */
const isRead = /^(list|get|find)/;

/**
 * Wraps a cloud: reads are repeated while it is overloaded or unavailable, until the signal fires. Changes are sent
 * once and never interrupted: their caller decides the meaning of a missing response.
 */
export function createPatientCloud(cloud: Cloud, options: PatienceOptions): Cloud {
  const { identity, compute, placement, volume, baremetal } = cloud;
  const change: CloudCallOptions = { requestId: options.requestId };
  const look: CloudCallOptions = { requestId: options.requestId, signal: options.signal };

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

  /** Every call takes its options last, after its arguments. */
  function patient<Port extends object>(port: Port): Port {
    const calls = Object.entries(port).map(([name, call]) => {
      if (isRead.test(name)) return [name, (...given: unknown[]) => read(() => call(...given, look))];
      return [name, (...given: unknown[]) => call(...given, change)];
    });
    return Object.fromEntries(calls) as Port;
  }

  return {
    ...cloud,
    identity: { ...identity, requester: () => read(() => identity.requester(look)) },
    compute: patient(compute),
    placement: patient(placement),
    volume: patient(volume),
    baremetal: patient(baremetal),
  };
}
