import { expect, it, vi } from 'vitest';
import { silentLogger } from '#libs/domain';
import type { Store, UnitOfWork } from '#libs/store';
import { createFakeCloud } from '#tests';
import { useApplierBench } from '../testing/applier-bench.ts';

const bench = await useApplierBench();

/** The transaction that ends the plan commits only while a renewal of its lease waits for a response. */
function renewedDuringEnd(planUuid: string): Store {
  const { store } = bench;
  let open = 0;
  let sent: () => void = () => undefined;
  const { actionPlans } = store.db;
  return {
    ...store,
    db: {
      ...store.db,
      actionPlans: {
        ...actionPlans,
        renewLease(...args) {
          open += 1;
          sent();
          return actionPlans.renewLease(...args).finally(() => {
            open -= 1;
          });
        },
      },
    },
    transaction: <T>(work: (unit: UnitOfWork) => Promise<T>) =>
      store.transaction(async (unit) => {
        const result = await work(unit);
        const { state } = await unit.actionPlans.get(planUuid);
        if (state === 'SUCCEEDED' && open === 0) {
          await new Promise<void>((resolve) => {
            sent = resolve;
          });
        }
        return result;
      }),
  };
}

it('a renewal that meets the end of the plan is no lost lease', async () => {
  const cloud = createFakeCloud({ hosts: [{ name: 'a' }] });
  const plan = await bench.plan([{}]);
  const warn = vi.fn();
  const logger = { ...silentLogger, warn, child: () => logger };
  const runner = bench.runner({
    cloud,
    store: renewedDuringEnd(plan.uuid),
    options: { leaseTtlMs: 2000 },
    deps: { logger },
  });

  const end = await bench.run(runner, plan);

  expect(end.state).toBe('SUCCEEDED');
  expect(runner.ended).toEqual(['SUCCEEDED']);
  expect(warn).not.toHaveBeenCalled();
});
