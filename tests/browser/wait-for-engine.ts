import { vi } from 'vitest';
import type { VigilClient } from '#libs/client';

/** Waits until a decision engine has written its goals and strategies. Returns their display names by name. */
export async function strategyNames(client: VigilClient) {
  await vi.waitUntil(async () => (await client.list('strategies')).length > 0, { timeout: 60_000, interval: 100 });
  const nameIn = (rows: readonly { name: string; display_name: string }[]) => (name: string) => {
    const row = rows.find((known) => known.name === name);
    if (!row) throw new Error(`no decision engine has loaded ${name}`);
    return row.display_name;
  };
  return { goal: nameIn(await client.list('goals')), strategy: nameIn(await client.list('strategies')) };
}
