import type { LiveKind } from './live-entities.ts';

/** Followed from the start. The dashboard follows other kinds once a page shows them. */
const first: readonly LiveKind[] = [
  'goal',
  'strategy',
  'audit_template',
  'audit',
  'action_plan',
  'action',
  'service',
  'data_model',
  'service_instance',
  'resource_graph',
  'dead_letters',
];

const rules: Partial<Record<LiveKind, string>> = {
  data_model: 'data_model:get_all',
  task: 'internal:read',
  audit_log: 'internal:read',
  service_instance: 'internal:read',
  resource_graph: 'internal:read',
  dead_letters: 'internal:read',
  placement_rule: 'internal:read',
};

/** Whether the policy allows these permissions to follow a kind: the stream refuses a request with any other kind. */
export function mayFollow(kind: LiveKind, permissions: readonly string[]): boolean {
  return permissions.includes(rules[kind] ?? `${kind}:get`);
}

/** The kinds to start with. */
export function firstKinds(permissions: readonly string[]): LiveKind[] {
  return first.filter((kind) => mayFollow(kind, permissions));
}
