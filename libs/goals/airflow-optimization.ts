import type { GoalPlugin } from '#libs/plugin-kit';
import { goalWithoutEfficacy } from './goal-without-efficacy.ts';

/** Less airflow through hot hosts. */
export const airflowOptimization: GoalPlugin = goalWithoutEfficacy('airflow_optimization', 'Airflow Optimization');
