import type { ActionPlanView } from '#libs/store';
import type { FakeCloud } from '#tests';
import type { RacePoint } from '../plan-runner/runner-deps.ts';
import type { ApplierBench } from './applier-bench.ts';
import { createKillable, never } from './killable.ts';

/**
 * Starts a run of `plan` that is killed the `nth` time it comes to `point`. Resolves when it is dead and its lease
 * over.
 */
export async function killRunAt(
  bench: ApplierBench,
  { cloud, plan, point, nth }: { cloud: FakeCloud; plan: ActionPlanView; point: RacePoint; nth: number },
): Promise<void> {
  const process = createKillable(bench.store, cloud);
  let passed = 0;
  let died: () => void = () => undefined;
  const death = new Promise<void>((resolve) => {
    died = resolve;
  });
  const racePoint = async (reached: RacePoint) => {
    if (reached !== point || process.isKilled) return;
    passed += 1;
    if (passed < nth) return;
    process.kill();
    died();
    await never();
  };
  const runner = bench.runner({ cloud: process.cloud, store: process.store, racePoint, options: { host: 'victim' } });
  runner.tryStart({ planUuid: plan.uuid, kind: 'claimed' }, 1000).catch(() => undefined);
  await death;
  await bench.expireLease(plan);
}
