import type { GoalPlugin } from '#libs/plugin-kit';
import { goalWithoutEfficacy } from './goal-without-efficacy.ts';

/** For trying the service out: its strategies change nothing in the cloud. */
export const dummy: GoalPlugin = goalWithoutEfficacy('dummy', 'Dummy goal');
