import { readFileSync } from 'node:fs';
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

/** What `openStackConfigFromEnv` reads; a test holds the names together. */
const cloudKeys = [
  ['`OS_AUTH_URL`', '–', 'Keystone v3, such as `http://controller:5000/v3`.'],
  ['`OS_USERNAME` or `OS_USER_ID`', '–', 'User; needs the role admin.'],
  ['`OS_PASSWORD`', '–', 'Its password. *Secret.*'],
  ['`OS_USER_DOMAIN_NAME` or `OS_USER_DOMAIN_ID`', '`OS_DEFAULT_DOMAIN`', 'Its domain.'],
  ['`OS_PROJECT_NAME` or `OS_PROJECT_ID`', '–', 'Project; the older `OS_TENANT_NAME` and `OS_TENANT_ID` work too.'],
  ['`OS_PROJECT_DOMAIN_NAME` or `OS_PROJECT_DOMAIN_ID`', '`OS_DEFAULT_DOMAIN`', 'Its domain.'],
  ['`OS_DEFAULT_DOMAIN`', '`default`', 'Id of the domain where none is named.'],
  [
    '`OS_APPLICATION_CREDENTIAL_ID` or `OS_APPLICATION_CREDENTIAL_NAME`',
    '–',
    'Application credential, instead of user and project; by name it needs the user.',
  ],
  ['`OS_APPLICATION_CREDENTIAL_SECRET`', '–', 'Its secret. *Secret.*'],
  ['`OS_TOKEN`', '–', 'Token instead of a login; it is not renewed. *Secret.*'],
  [
    '`OS_AUTH_TYPE`',
    'by what is set',
    '`password`, `token` or `v3applicationcredential`, when more than one of them is set.',
  ],
  ['`OS_REGION_NAME`', 'any', 'Region of the endpoints.'],
  ['`OS_INTERFACE` or `OS_ENDPOINT_TYPE`', '`public`', '`public`, `internal` or `admin` endpoints.'],
  ['`OS_CACERT`', 'those of the system', 'PEM file of the authorities to trust.'],
  [
    '`OS_<SERVICE>_ENDPOINT_OVERRIDE`',
    '–',
    'URL of a service instead of the one in the catalogue, such as `OS_COMPUTE_ENDPOINT_OVERRIDE` or `OS_BLOCK_STORAGE_ENDPOINT_OVERRIDE`.',
  ],
  ['`VIGIL_OPENSTACK_TIMEOUT_MS`', '`30000`', 'Time limit of one request to OpenStack, 100 to 600000.'],
] as const;

/** Keys that no schema has: of the OpenStack client, and of the commands that build and try the image. */
const otherKeys = [
  'VIGIL_OPENSTACK_TIMEOUT_MS',
  'VIGIL_CONTAINER_ENGINE',
  'VIGIL_COMPOSE_COMMAND',
  'VIGIL_IMAGE_BUILD_COMMAND',
];

/** What docker-compose.yml puts into the keys of the processes. */
const composeKeys = () =>
  [...readFileSync('docker-compose.yml', 'utf8').matchAll(/\$\{(VIGIL_[A-Z_]+)/g)].map(([, name = '']) => name);

/** Module with the name of every key that begins with `VIGIL_`. */
export function renderKnownKeys(): string {
  const ofSchemas = sections.flatMap(({ schema }) =>
    Object.entries(schema).flatMap(([name, { secret }]) => (secret ? [name, `${name}_FILE`] : [name])),
  );
  const names = [...new Set([...ofSchemas, ...otherKeys, ...composeKeys()])]
    .filter((name) => name.startsWith('VIGIL_'))
    .sort();
  return `/** Every configuration key of every process; generated from their schemas by \`npm run docs\`. */
export const knownKeys: readonly string[] = [
${names.map((name) => `  '${name}',`).join('\n')}
];
`;
}

/** Markdown page with every configuration key, from the schemas of the processes. */
export function renderConfigurationDocs(): string {
  return `# Configuration

Every process reads environment variables, once, at its start; faults are reported together in one line and the process
ends with exit code 78, and so do those of the cloud's variables and of plugins. A variable that begins with \`VIGIL_\` and is not
on this page is a warning that names the nearest key. Keys marked *secret* may be read from a file that \`<NAME>_FILE\` names, and are never logged. This
page is generated from the schemas by \`npm run docs\`.

## The cloud

OpenStack's own variables. API, decision engine, applier, \`vigil watch\` and \`vigil status\` read them, and so does the command
line for whoever uses it.

| key | default | meaning |
| --- | --- | --- |
${cloudKeys.map(([name, standard, meaning]) => `| ${name} | ${standard} | ${meaning} |`).join('\n')}

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
