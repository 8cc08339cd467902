import { type TaskDefinition, taskDefinitions } from '#libs/tasks';

/** Markdown page with every background task, from the catalogue. */
export function renderTaskDocs(): string {
  return `# Background tasks

The tasks that \`vigil scheduler\` runs by the clock and that \`vigil tasks run\` requests. [Run](run.md#background-tasks)
describes how to change the times. This page is generated from the catalogue by \`npm run docs\`.

| task | by the clock (UTC) | queue | single-flight | time limit |
| --- | --- | --- | --- | --- |
${taskDefinitions.map(renderRow).join('\n')}

${taskDefinitions.map(renderTask).join('\n')}`;
}

function renderRow({ name, schedule, queue, singleFlight, timeoutSeconds }: TaskDefinition): string {
  const times = schedule ? `\`${schedule.cron}\`${schedule.enabled === false ? ', disabled' : ''}` : 'on request';
  return `| [\`${name}\`](#${name}) | ${times} | \`${queue}\` | ${singleFlight.mode} | ${timeoutSeconds} s |`;
}

function renderTask({ name, description, argumentsSchema }: TaskDefinition): string {
  const properties = Object.entries(argumentsSchema.properties ?? {}) as [string, Record<string, unknown>][];
  const rows = properties.map(
    ([argument, { type, description: text = '' }]) => `| \`${argument}\` | ${String(type)} | ${String(text)} |`,
  );
  const table = rows.length === 0 ? '' : `\n| argument | type | |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  return `## ${name}\n\n${description}\n${table}`;
}
