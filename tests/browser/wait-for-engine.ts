import { setTimeout as sleep } from 'node:timers/promises';
import type { VigilClient } from '#libs/client';

const limitMs = 60_000;
const pollMs = 100;

/** Waits until a decision engine has written its goals and strategies. Returns their display names by name. */
export async function strategyNames(client: VigilClient) {
  const deadline = performance.now() + limitMs;
  while ((await client.list('strategies')).length === 0) {
    if (performance.now() > deadline) throw new Error('no decision engine has written its strategies in time');
    await sleep(pollMs);
  }
  const nameIn = (rows: readonly { name: string; display_name: string }[]) => (name: string) => {
    const row = rows.find((known) => known.name === name);
    if (!row) throw new Error(`no decision engine has loaded ${name}`);
    return row.display_name;
  };
  return { goal: nameIn(await client.list('goals')), strategy: nameIn(await client.list('strategies')) };
}
