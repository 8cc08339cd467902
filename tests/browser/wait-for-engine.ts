import { type VigilClient, waitUntil } from '#libs/client';

/** Waits until a decision engine has written its goals and strategies. Returns their display names by name. */
export async function strategyNames(client: VigilClient) {
  const limits = { pollMs: 100, timeoutMs: 60_000 };
  await waitUntil(
    () => client.list('strategies'),
    (rows) => rows.length > 0,
    limits,
    'start of a decision engine',
  );
  const nameIn = (rows: readonly { name: string; display_name: string }[]) => (name: string) => {
    const row = rows.find((known) => known.name === name);
    if (!row) throw new Error(`no decision engine has loaded ${name}`);
    return row.display_name;
  };
  return { goal: nameIn(await client.list('goals')), strategy: nameIn(await client.list('strategies')) };
}
