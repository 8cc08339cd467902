import { commonEnv, type EnvSchema } from '#libs/service-kit/env';
import { apiEnv } from '../services/api/env.ts';
import { applierEnv } from '../services/applier/env.ts';
import { coordinatorEnv } from '../services/coordinator/env.ts';
import { decisionEngineEnv } from '../services/decision-engine/env.ts';
import { schedulerEnv } from '../services/scheduler/env.ts';
import { simulatorEnv } from '../services/simulator/env.ts';
import { supervisorEnv } from '../services/supervisor/env.ts';

const sections: { title: string; schema: EnvSchema }[] = [
  { title: 'Every process', schema: commonEnv },
  { title: '`vigil up`', schema: supervisorEnv },
  { title: '`vigil api`', schema: apiEnv },
  { title: '`vigil decision-engine`', schema: decisionEngineEnv },
  { title: '`vigil applier`', schema: applierEnv },
  { title: '`vigil scheduler`', schema: schedulerEnv },
  { title: '`vigil coordinator`', schema: coordinatorEnv },
  { title: '`vigil simulator`', schema: simulatorEnv },
];

/** Markdown page with every configuration key, from the schemas of the processes. */
export function renderConfigurationDocs(): string {
  return `# Configuration

Every process reads environment variables, once, at its start; faults are reported together in one line and the process
ends with exit code 78. Keys marked *secret* may be read from a file that \`<NAME>_FILE\` names, and are never logged. This
page is generated from the schemas by \`npm run docs\`.

The cloud is named by OpenStack's own variables: \`OS_AUTH_URL\`, \`OS_USERNAME\`, \`OS_PASSWORD\`, \`OS_PROJECT_NAME\`,
\`OS_USER_DOMAIN_NAME\`, \`OS_PROJECT_DOMAIN_NAME\`, \`OS_REGION_NAME\`, \`OS_INTERFACE\`, \`OS_CACERT\`, or an application
credential (\`OS_APPLICATION_CREDENTIAL_ID\`, \`OS_APPLICATION_CREDENTIAL_SECRET\`).

${sections.map(renderSection).join('\n')}`;
}

function renderSection({ title, schema }: { title: string; schema: EnvSchema }): string {
  const rows = Object.entries(schema).map(([name, key]) => {
    const notes = key.secret ? ' *Secret.*' : '';
    return `| \`${name}\` | ${key.defaultText ? `\`${key.defaultText}\`` : '–'} | ${key.description.replaceAll('|', '\\|')}${notes} |`;
  });
  return `## ${title}

| key | default | meaning |
| --- | --- | --- |
${rows.join('\n')}
`;
}
