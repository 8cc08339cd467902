import type { GoalPlugin } from '#libs/plugin-kit';
import { goalWithoutEfficacy } from './goal-without-efficacy.ts';

/** Cooler air at the outlets of hosts. */
export const thermalOptimization: GoalPlugin = goalWithoutEfficacy('thermal_optimization', 'Thermal Optimization');
