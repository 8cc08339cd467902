import type { GoalPlugin } from '#libs/plugin-kit';
import { goalWithoutEfficacy } from './goal-without-efficacy.ts';

/** For strategies that serve no goal of the catalogue, such as one that plans given actions. */
export const unclassified: GoalPlugin = goalWithoutEfficacy('unclassified', 'Unclassified');
