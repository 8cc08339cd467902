import type { GoalPlugin } from '#libs/plugin-kit';
import { goalWithoutEfficacy } from './goal-without-efficacy.ts';

/** A host is emptied so that people can work on it. */
export const clusterMaintaining: GoalPlugin = goalWithoutEfficacy('cluster_maintaining', 'Cluster Maintaining');
