import { readFileSync } from 'node:fs';
import type { EnvSchema } from '#libs/service-kit/env';
import { type CloudKey, cloudKeys } from '../services/config/cloud-keys.ts';
import { configurationSections as sections } from '../services/config/sections.ts';

/** Keys that no schema has: of the OpenStack client, and of the commands that build and try the image. */
const otherKeys = [
  'VIGIL_OPENSTACK_TIMEOUT_MS',
  'VIGIL_CONFIG_FILE',
  'VIGIL_CONFIG_DIR',
  'VIGIL_CONFIG_KEYS',
  'VIGIL_CONTAINER_ENGINE',
  'VIGIL_COMPOSE_COMMAND',
  'VIGIL_IMAGE_BUILD_COMMAND',
];

/** Values that docker-compose.yml puts into the keys of the processes. */
const composeKeys = () =>
  [...readFileSync('docker-compose.yml', 'utf8').matchAll(/\$\{(VIGIL_[A-Z_]+)/g)].map(([, name = '']) => name);

/** Module with the name of every key that starts with `VIGIL_`. */
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

Every process reads its configuration at its start: from environment variables, and from files for variables that are
not set. Errors, including those of the cloud's variables and of plugins, are reported together in one line, and the process
ends with exit code 78. A variable that starts with \`VIGIL_\` and is not on this page is a warning that names the nearest key.
Keys marked *secret* may be read from the file that \`<NAME>_FILE\` names, and are never logged. This page is generated from
the schemas by \`npm run docs\`.

## Files

Processes read \`/etc/vigil/vigil.conf\` and then \`/etc/vigil/vigil.conf.d/*.conf\`, or the files of \`--config-file\` and
\`--config-dir\` (repeatable; also \`VIGIL_CONFIG_FILE\` and \`VIGIL_CONFIG_DIR\`, with colons between several). The command
line client reads only files that are named.

    [vigil]
    # VIGIL_DATABASE_URL
    database_url = postgres://vigil:secret@db.example.org:5432/vigil
    plugins = my-plugin

    [openstack]
    # OS_AUTH_URL
    auth_url = https://keystone.example.org:5000/v3

    [vigil-applier]
    # for appliers only, before [vigil]
    health_port = 9324

The format is that of oslo.config: \`$name\` and \`\${section.name}\` stand for another option, \`$$\` for a dollar, and
indented lines continue a value. Options in other sections are Watcher's. Vigil understands them under their own names, so you
can use Watcher's file unchanged ([from Watcher](from-watcher.md)).

\`OS_<GROUP>__<OPTION>\` in the environment is an option of Watcher too, as oslo.config reads it (\`OS_DATABASE__CONNECTION\` is \`connection\` of
\`[database]\`); it counts before files, and variables with our names count before it. \`vigil config import\` takes it over.

    vigil config show --process api       # the set keys, and their lines
    vigil config check                    # 78 when a process would not start; warns of unused keys
    vigil config sample > vigil.conf      # every key with its meaning and default
    vigil config import /etc/watcher/watcher.conf --dry-run

A running process reads its files again after SIGHUP (\`systemctl reload\`), and within 15 seconds after one has changed.
Keys marked *reloadable* then count at once, for new plans, actions, audits and requests. The log names
them (\`configuration reloaded\`), and as a warning the changed keys that need a restart. With an invalid file nothing
changes, and the log gives the reason. Without files SIGHUP stops the process in order with exit code 129, and its
supervisor starts it again.

## The cloud

OpenStack's own variables. API, decision engine, applier, \`vigil watch\` and \`vigil status\` read them. The command line reads
them for its user.

| key | default | meaning |
| --- | --- | --- |
${cloudKeys.map(renderCloudKey).join('\n')}

${sections.map(renderSection).join('\n')}`;
}

function renderCloudKey({ names, defaultText, description, secret }: CloudKey): string {
  const shown = names.map((name) => `\`${name}\``).join(' or ');
  return `| ${shown} | ${defaultText} | ${description}${secret ? ' *Secret.*' : ''} |`;
}

function renderSection({ title, schema }: { title: string; schema: EnvSchema }): string {
  const rows = Object.entries(schema).map(([name, key]) => {
    const notes = `${key.secret ? ' *Secret.*' : ''}${key.reloadable ? ' *Reloadable.*' : ''}`;
    return `| \`${name}\` | ${key.defaultText ? `\`${key.defaultText}\`` : '–'} | ${key.description.replaceAll('|', '\\|')}${notes} |`;
  });
  return `## ${title}

| key | default | meaning |
| --- | --- | --- |
${rows.join('\n')}
`;
}
