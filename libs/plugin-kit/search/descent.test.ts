import { expect, it } from 'vitest';
import { createWhatIf } from '#libs/cluster-model';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { createStrategyWork } from '../work.ts';
import { Descent } from './descent.ts';
import { createPlacementProblem } from './placement-problem.ts';

const [hosts, instances, moves] = [40, 400, 20];

/** Half of the hosts have all instances. The load above the mean costs, and each instance costs on any host. */
function descend(budgets: readonly number[], { price = 0, everywhere = 0 }) {
  const snapshot = createTestWorld({
    hosts: Array.from({ length: hosts }, (_, host) => ({ hostname: `h${host}` })),
    instances: Array.from({ length: instances }, (_, row) => ({
      name: `vm${row}`,
      host: `h${row % (hosts / 2)}`,
      vcpus: 0,
      memory: 0,
    })),
  });
  const model = createWhatIf(snapshot);
  const use = new Float64Array(instances).fill(1);
  const hinges = [
    { weight: 1, use, limit: new Float64Array(hosts).fill(instances / hosts) },
    { weight: everywhere, use, limit: new Float64Array(hosts) },
  ];
  const { problem, instanceOf } = createPlacementProblem(model, { hinges, movePrice: () => price });
  const work = createStrategyWork();
  const descent = new Descent(model, { problem, instanceOf }, { work });
  for (const budget of budgets) descent.run(budget);
  const { placement } = descent;
  return { spent: work.spent, away: placement.movedCount, host: placement.host.slice() };
}

it('checks few instances, also when migrations have a price', () => {
  const free = descend([moves], {});
  const priced = descend([moves], { price: 0.1 });

  expect([free.away, priced.away]).toEqual([moves, moves]);
  // Instances off their home may return there, which is checked.
  expect(priced.spent).toBeLessThan(2 * free.spent);
});

it('continues with a larger budget from its present state', () => {
  const atOnce = descend([moves], { everywhere: 1 });
  const bySteps = descend([5, 10, moves], { everywhere: 1 });

  expect(bySteps.away).toBe(moves);
  expect(bySteps.host).toEqual(atOnce.host);
  expect(bySteps.spent).toBeLessThan(1.2 * atOnce.spent);
});
