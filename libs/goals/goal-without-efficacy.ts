import type { GoalPlugin } from '#libs/plugin-kit';

/** A goal whose strategies report no indicator and whose plans have no global efficacy. */
export function goalWithoutEfficacy(name: string, displayName: string): GoalPlugin {
  return { kind: 'goal', name, displayName, indicators: [], globalEfficacy: () => [] };
}
