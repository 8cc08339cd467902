import type { GoalPlugin } from '#libs/plugin-kit';
import { goalWithoutEfficacy } from './goal-without-efficacy.ts';

/** Unused hosts are switched off. */
export const savingEnergy: GoalPlugin = goalWithoutEfficacy('saving_energy', 'Saving Energy');
