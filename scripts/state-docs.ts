import {
  actionPlanStateTable,
  actionStateTable,
  approvalStateTable,
  auditStateTable,
  notificationDeliveryStateTable,
  type StateTable,
  serviceInstanceStateTable,
  serviceRequestStateTable,
  taskStateTable,
} from '#libs/domain';

/** Markdown page with a diagram and a table of every life cycle, from the transition tables. */
export function renderStateDocs(): string {
  const parts = [
    renderTable(auditStateTable),
    renderTable(actionPlanStateTable),
    renderTable(approvalStateTable),
    renderTable(actionStateTable),
    renderTable(taskStateTable),
    renderTable(notificationDeliveryStateTable),
    renderTable(serviceInstanceStateTable),
    renderTable(serviceRequestStateTable),
  ];
  return `# Life cycles

Every change of a state is one conditional update through these tables (\`libs/domain/states\`). This page is generated
from them by \`npm run docs\`.

${parts.join('\n')}
${otherColumns}`;
}

const otherColumns = `## Columns that are not states

They have no transition table, because only the holder of the row writes them, or because no decision depends on the previous value.

| column | why |
| --- | --- |
| \`action_plans.rollback_state\`, \`actions.rollback_state\` | progress of one run of a plan: written only in a transaction that has renewed the lease of that run under its fencing number. A successor repeats the reverts that are ONGOING and keeps finished ones |
| \`action_attempts.phase\` | journal of one attempt: written only under the current fencing number of the plan |
| \`recovery_jobs.phase\` | written while the row is locked and the lease of the coordinator is held; a job with \`ended_at\` is no longer changed |
| \`plan_runs.outcome\` | the result of a run, written at its end; its key is plan and fencing number |
| \`outbox\`, \`bus_messages\` | rows are taken by lock or claim number; whether a message waits, was sent or is dead follows from its times |
| \`service_statuses.status\` | an observation: ACTIVE or FAILED by the age of the last heartbeat |
| \`idempotency_keys.status\` | HTTP status of the first response |
`;

function renderTable<State extends string, Event extends string>(table: StateTable<State, Event>): string {
  const moves = table.transitions.flatMap(({ event, from, to }) =>
    from.map((state) => `  ${state} --> ${to}: ${event}`),
  );
  const ends = table.terminal.filter((state) => state !== 'DELETED').map((state) => `  ${state} --> [*]`);
  const rows = table.transitions.map(
    ({ event, from, to, by }) => `| \`${event}\` | ${from.join(', ')} | ${to} | ${by} |`,
  );
  return `## ${table.entity}

\`\`\`mermaid
stateDiagram-v2
  [*] --> ${table.initial}
${[...moves, ...ends].join('\n')}
\`\`\`

| event | from | to | by |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}
