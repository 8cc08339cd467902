import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '#libs/domain';
import { createStore, type Store, StoreUnavailableError, upgradeSchema } from '#libs/store';
import { insertPlanWorld } from '../builders.ts';
import { type PostgresPair, startPostgresPair } from '../servers/postgres-pair.ts';

let pair: PostgresPair;
const stores: Store[] = [];
beforeAll(async () => {
  pair = await startPostgresPair();
  await upgradeSchema(pair.url, { logger: silentLogger });
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await pair?.stop();
});

async function open(): Promise<Store> {
  const store = await createStore({ url: pair.url, logger: silentLogger, poolSize: 2 });
  stores.push(store);
  return store;
}

/** Reads as soon as a server leads. */
async function read(store: Store) {
  for (;;) {
    const result = await store.lineage.check().catch((error: unknown) => {
      if (error instanceof StoreUnavailableError) return null;
      throw error;
    });
    if (result !== null) return result;
  }
}

it('a standby that takes over without the newest transactions holds unfinished work', async () => {
  const [knowing, unknowing] = [await open(), await open()];
  const { plan } = await insertPlanWorld(knowing.db, { plan: () => ({ state: 'ONGOING' }) });
  await unknowing.lineage.check();
  await pair.detach();
  // Not a change of an entity, such as an action's journal entry, so that it has no number.
  await knowing.db.actionDescriptions.replaceAll([{ actionType: 'nop', description: '', revertible: 'exact' }]);
  await knowing.lineage.check();
  await pair.killPrimary();
  await pair.promote();
  expect(await read(unknowing)).toMatchObject({ verdict: 'failed_over', heldPlans: [] });
  expect(await read(knowing)).toMatchObject({ verdict: 'cut_short', heldPlans: [plan.uuid] });
  expect((await read(unknowing)).verdict).toBe('same');
  expect((await knowing.db.actionPlans.get(plan.uuid)).state).toBe('SUSPENDED');
});
