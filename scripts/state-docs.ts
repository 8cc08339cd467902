import { actionPlanStateTable, actionStateTable, auditStateTable, type StateTable, taskStateTable } from '#libs/domain';

/** Markdown page with a diagram and a table of every life cycle, from the transition tables. */
export function renderStateDocs(): string {
  const parts = [auditStateTable, actionPlanStateTable, actionStateTable, taskStateTable].map((table) =>
    renderTable(table),
  );
  return `# Life cycles

Every change of a state is one conditional update through these tables (\`libs/domain/states\`). This page is generated
from them by \`npm run docs\`.

${parts.join('\n')}`;
}

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
