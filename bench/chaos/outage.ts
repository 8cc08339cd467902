import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosStack } from './stack.ts';

/**
 * Something that goes away besides while the broker is away: from when on, and for how long, as shares of the outage.
 */
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

/** Server that is taken away, and for how long. */
export interface Outage {
  of: 'rabbitmq' | 'postgres';
  minutes: number;
  /** Ends it early. */
  signal: AbortSignal;
  tell(text: string): unknown;
}

/** Undisturbed load before and after, in milliseconds. */
const settleMs = 10_000;

/**
 * Takes broker or database away for so many minutes and, one after the other, everything else for a part of that time.
 * Nothing is killed. Tokens are forgotten before Keystone goes away, so that it is missed.
 */
export async function takeAway(stack: ChaosStack, { of, minutes, signal, tell }: Outage): Promise<void> {
  const totalMs = minutes * 60_000;
  const pause = (ms: number) => sleep(Math.max(0, ms), undefined, { signal }).catch(() => undefined);
  await pause(settleMs);
  const begin = performance.now();
  const until = (share: number) => pause(begin + share * totalMs - performance.now());
  tell(`${of} is away for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`);
  await stack.proxies[of].refuse();
  for (const { name, from, share, begin: start, end } of troubles) {
    if (of === 'postgres' && name.startsWith('PostgreSQL')) continue;
    await until(from);
    if (signal.aborted) break;
    if (name.startsWith('Keystone')) await stack.control('/tokens/revoke', {});
    tell(`${name} for ${Math.round((share * totalMs) / 1000)} s`);
    await start(stack);
    await until(from + share);
    await end(stack);
  }
  await until(1);
  await stack.proxies[of].accept();
  tell('everything is back');
  await pause(settleMs);
}
