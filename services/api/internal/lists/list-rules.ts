/** Rules of the lists: those of the public routes that show the same. */
export const listRules = {
  audits: ['audit:detail'],
  actionPlans: ['action_plan:detail', 'action:get_all'],
  moves: ['action:get_all', 'action_plan:get_all'],
  trends: ['action:get_all', 'action_plan:get_all'],
} as const;
