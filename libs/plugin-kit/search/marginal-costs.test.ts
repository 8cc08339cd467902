import { expect, it } from 'vitest';
import { createWhatIf } from '#libs/cluster-model';
import { createRandom } from '#libs/domain';
import { Placement } from '#libs/optimizer';
import { createTestWorld } from '#libs/plugin-kit/testing';

import { MarginalCosts } from './marginal-costs.ts';
import { createPlacementProblem, type Hinge } from './placement-problem.ts';

const [hosts, instances, steps] = [20, 200, 8];

/** Hinges of two quantities, whose limits are below, around and above the mean use of a host. */
function placementOf(seed: number): { placement: Placement; random: () => number } {
  const random = createRandom(seed);
  const snapshot = createTestWorld({
    hosts: Array.from({ length: hosts }, (_, host) => ({ hostname: `h${host}` })),
    instances: Array.from({ length: instances }, (_, row) => ({ name: `vm${row}`, host: `h${row % 11}` })),
  });
  const hinges = [0, 1].flatMap(() => {
    const use = Float64Array.from({ length: instances }, () => (random() < 0.2 ? 0 : 1e4 * random()));
    const mean = use.reduce((sum, value) => sum + value, 0) / hosts;
    return Array.from({ length: steps }, (_, step): Hinge => {
      const limit = new Float64Array(hosts).fill((2 * mean * (step + random())) / steps);
      return { weight: 10 ** Math.floor(8 * random()), use, limit };
    });
  });
  const movePrice = () => 1e4 * random();
  return {
    placement: new Placement(createPlacementProblem(createWhatIf(snapshot), { hinges, movePrice }).problem),
    random,
  };
}

function reliefOf(placement: Placement, item: number): number {
  const from = placement.host[item]!;
  return placement.costOf(from) - placement.costWithout(from, item) + placement.priceAway(item, from);
}

function gainOf(placement: Placement, item: number, to: number): number {
  const cost = placement.costWith(to, item, Number.POSITIVE_INFINITY);
  return reliefOf(placement, item) - placement.priceAway(item, to) + placement.costOf(to) - cost;
}

it.each([1, 2, 3, 4, 5])('bounds the effect of all moves while items move (seed %i)', (seed) => {
  const { placement, random } = placementOf(seed);
  const marginal = new MarginalCosts(placement);
  let excluded = 0;
  for (let round = 0; round < 5; round += 1) {
    for (let item = 0; item < instances; item += 1) {
      expect(marginal.mostRelief(item)).toBeGreaterThanOrEqual(reliefOf(placement, item));
      for (let to = 0; to < hosts; to += 1) {
        const gain = gainOf(placement, item, to);
        if (to === placement.host[item]) continue;
        // Just below the gain a bound must not exclude the move.
        expect(marginal.gainsAtMost(gain - 1e-9 * Math.abs(gain), item, to, reliefOf(placement, item))).toBe(false);
        excluded += Number(marginal.gainsAtMost(Math.max(0, gain), item, to, reliefOf(placement, item)));
      }
    }
    for (let moves = 0; moves < 20; moves += 1) {
      const item = Math.floor(instances * random());
      const [from, to] = [placement.host[item]!, Math.floor(hosts * random())];
      placement.move(item, to);
      for (const host of [from, to]) marginal.refresh(host);
    }
  }
  expect(excluded).toBeGreaterThan(0.3 * 5 * instances * hosts);
});
