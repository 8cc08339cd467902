import type { ErrorObject } from 'ajv';
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import type { WorldFile } from './world-file.ts';
import { WorldFileError } from './world-file.ts';
import { worldSchema } from './world-schema.ts';

/** Validates parsed JSON against the schema and its own references. `file` is for messages. Throws WorldFileError. */
export function checkWorld(value: unknown, file: string): WorldFile {
  // The schema is ours, and a test checks it: comparing it with the meta-schema took a tenth of the simulator's start.
  // It is used once: making its code shorter took longer than it could gain.
  const ajv = new Ajv({ allErrors: false, strict: false, validateSchema: false, code: { optimize: false } });
  ajvFormats.default(ajv);
  const validate = ajv.compile<WorldFile>(worldSchema);
  if (!validate(value)) {
    const first = validate.errors?.[0];
    throw new WorldFileError(file, pathOf(first), reasonOf(first));
  }
  checkReferences(value, file);
  return value;
}

function pathOf(error: ErrorObject | undefined): string {
  return (error?.instancePath ?? '')
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.');
}

function reasonOf(error: ErrorObject | undefined): string {
  if (error === undefined) return 'not a world';
  if (error.keyword === 'additionalProperties') return `unknown field "${error.params.additionalProperty}"`;
  if (error.keyword === 'required') return `field "${error.params.missingProperty}" is missing`;
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`;
  if (error.keyword === 'const') return `must be ${JSON.stringify(error.params.allowedValue)}`;
  return error.message ?? error.keyword;
}

function uniqueNames(file: string, list: string, names: string[]): Set<string> {
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (seen.has(name)) throw new WorldFileError(file, `${list}[${index}]`, `"${name}" is duplicated`);
    seen.add(name);
  }
  return seen;
}

function checkReferences(world: WorldFile, file: string): void {
  const { server_groups: groups = [], volumes = [], pools = [], volume_types: types = [], aggregates = [] } = world;
  const nameOf = (item: { name: string }) => item.name;
  const known = {
    host: uniqueNames(
      file,
      'hosts',
      world.hosts.map((host) => host.hostname),
    ),
    flavor: uniqueNames(file, 'flavors', world.flavors.map(nameOf)),
    'server group': uniqueNames(file, 'server_groups', groups.map(nameOf)),
    volume: uniqueNames(file, 'volumes', volumes.map(nameOf)),
    pool: uniqueNames(file, 'pools', pools.map(nameOf)),
    'volume type': uniqueNames(file, 'volume_types', types.map(nameOf)),
  };
  uniqueNames(file, 'aggregates', aggregates.map(nameOf));
  uniqueNames(file, 'baremetal_nodes', (world.baremetal_nodes ?? []).map(nameOf));
  uniqueNames(
    file,
    'servers',
    world.servers.map((server) => server.uuid ?? server.name),
  );
  const mustKnow: MustKnow = (what, path, name) => {
    if (name === undefined || known[what].has(name)) return;
    throw new WorldFileError(file, path, `unknown ${what} "${name}"`);
  };
  for (const [index, server] of world.servers.entries()) checkServer(server, `servers[${index}]`, mustKnow);
  for (const [index, aggregate] of aggregates.entries()) {
    for (const host of aggregate.hosts) mustKnow('host', `aggregates[${index}].hosts`, host);
  }
  for (const [index, node] of (world.baremetal_nodes ?? []).entries()) {
    mustKnow('host', `baremetal_nodes[${index}].host`, node.host);
  }
  for (const [index, volume] of volumes.entries()) {
    mustKnow('pool', `volumes[${index}].pool`, volume.pool);
    mustKnow('volume type', `volumes[${index}].type`, volume.type);
    if (pools.length === 0) throw new WorldFileError(file, `volumes[${index}]`, 'the world has no pools');
  }
}

type MustKnow = (
  what: 'host' | 'flavor' | 'server group' | 'volume' | 'pool' | 'volume type',
  path: string,
  name: string | undefined,
) => void;

function checkServer(server: WorldFile['servers'][number], path: string, mustKnow: MustKnow): void {
  mustKnow('host', `${path}.host`, server.host);
  mustKnow('flavor', `${path}.flavor`, server.flavor);
  mustKnow('server group', `${path}.group`, server.group);
  for (const volume of server.volumes ?? []) mustKnow('volume', `${path}.volumes`, volume);
}
