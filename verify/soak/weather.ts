import { setTimeout as sleep } from 'node:timers/promises';
import type { RandomSource } from '#libs/domain';
import type { Stack } from '../stack/stack.ts';
import type { Outage } from './record.ts';

/** Pauses in milliseconds: from the one to the sum of both. */
const pauses = {
  betweenDeaths: { least: 40_000, more: 80_000 },
  dead: { least: 30_000, more: 60_000 },
  betweenLoads: { least: 10_000, more: 20_000 },
};
const loadFactors = [0.3, 0.6, 1, 1, 1.5, 2.5];
const hostsPerLoad = 3;

/** Troubles that reach the cloud from outside. */
export interface Weather {
  /** Hosts that died, with the times. */
  outages: readonly Outage[];
  /** Resolves when all hosts are back. */
  stop(): Promise<void>;
}

/** Lets hosts die and return, one at a time, and changes the load of some hosts again and again. */
export function makeWeather(stack: Stack, hosts: readonly string[], random: RandomSource): Weather {
  const outages: Outage[] = [];
  const ending = new AbortController();
  const { signal } = ending;
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const pause = ({ least, more }: { least: number; more: number }) =>
    sleep(least + random() * more, undefined, { signal }).catch(() => undefined);

  async function deaths(): Promise<void> {
    for (;;) {
      await pause(pauses.betweenDeaths);
      if (signal.aborted) return;
      const host = pick(hosts);
      const { id } = await stack.control<{ id: number }>('/faults', { kind: 'host-down', host });
      const outage: Outage = { host, fromMs: Date.now(), toMs: null };
      outages.push(outage);
      await pause(pauses.dead);
      await stack.control(`/faults/${id}`, null, 'DELETE');
      outage.toMs = Date.now();
    }
  }

  async function loads(): Promise<void> {
    for (;;) {
      await pause(pauses.betweenLoads);
      if (signal.aborted) return;
      const some = Array.from({ length: hostsPerLoad }, () => pick(hosts));
      await stack.control('/load', { factor: pick(loadFactors), hosts: [...new Set(some)] });
    }
  }

  const running = Promise.all([deaths(), loads()]);
  running.catch(() => undefined);
  return {
    outages,
    async stop() {
      ending.abort();
      await running;
    },
  };
}
