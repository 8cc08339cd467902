import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosStack } from './stack.ts';

/** An outage of another server while the broker is down: its start and length, as shares of the main outage. */
interface Trouble {
  name: string;
  from: number;
  share: number;
  begin(stack: ChaosStack): Promise<unknown>;
  end(stack: ChaosStack): Promise<unknown>;
}

const clearFaults = (stack: ChaosStack) => stack.control('/faults', null, 'DELETE');
const fault = (definition: object) => (stack: ChaosStack) => stack.control('/faults', definition);

const troubles: readonly Trouble[] = [
  {
    name: 'PostgreSQL restarts',
    ...{ from: 0.2, share: 0.03 },
    begin: ({ proxies }) => proxies.postgres.refuse(),
    end: ({ proxies }) => proxies.postgres.accept(),
  },
  {
    name: 'PostgreSQL hangs',
    ...{ from: 0.35, share: 0.08 },
    begin: async ({ proxies }) => proxies.postgres.freeze(),
    end: async ({ proxies }) => proxies.postgres.resume(),
  },
  {
    name: 'Keystone answers 503',
    ...{ from: 0.5, share: 0.1 },
    begin: fault({ kind: 'error', status: 503, match: { service: 'identity' } }),
    end: clearFaults,
  },
  {
    name: 'Nova answers 503',
    ...{ from: 0.65, share: 0.1 },
    begin: fault({ kind: 'error', status: 503, match: { service: 'compute' } }),
    end: clearFaults,
  },
  {
    name: 'Nova hangs',
    ...{ from: 0.8, share: 0.1 },
    begin: fault({ kind: 'hang', match: { service: 'compute' } }),
    end: clearFaults,
  },
];

/** The server to stop, and for how long. */
export interface Outage {
  of: 'rabbitmq' | 'postgres';
  minutes: number;
  /** Ends the outage early. */
  signal: AbortSignal;
  report(text: string): unknown;
}

/** Undisturbed load before and after the outage, in milliseconds. */
const settleMs = 10_000;

/**
 * Stops broker or database for `minutes` and, in sequence, every other server for a part of that time. Kills no
 * process. The cloud forgets its tokens before Keystone stops, so that clients need Keystone.
 */
export async function playOutage(stack: ChaosStack, { of, minutes, signal, report }: Outage): Promise<void> {
  const totalMs = minutes * 60_000;
  const pause = (ms: number) => sleep(Math.max(0, ms), undefined, { signal }).catch(() => undefined);
  await pause(settleMs);
  const begin = performance.now();
  const until = (share: number) => pause(begin + share * totalMs - performance.now());
  report(`${of} is unavailable for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`);
  await stack.proxies[of].refuse();
  for (const { name, from, share, begin: start, end } of troubles) {
    if (of === 'postgres' && name.startsWith('PostgreSQL')) continue;
    await until(from);
    if (signal.aborted) break;
    if (name.startsWith('Keystone')) await stack.control('/tokens/revoke', {});
    report(`${name} for ${Math.round((share * totalMs) / 1000)} s`);
    await start(stack);
    await until(from + share);
    await end(stack);
  }
  await until(1);
  await stack.proxies[of].accept();
  report('everything is back');
  await pause(settleMs);
}
