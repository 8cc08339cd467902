import type { GoalPlugin } from '#libs/plugin-kit';
import { goalWithoutEfficacy } from './goal-without-efficacy.ts';

/** Instances of low priority keep away from those that they disturb. */
export const noisyNeighbor: GoalPlugin = goalWithoutEfficacy('noisy_neighbor', 'Noisy Neighbor');
