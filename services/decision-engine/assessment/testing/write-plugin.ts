import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Parts of a plugin that differ from a strategy without actions. */
export interface PluginParts {
  /** Body of `propose(context, migrate)`. It returns the actions. */
  propose: string;
  /** Module-level code. */
  before?: string;
  /** Members of the manifest, such as `metrics: []`. */
  manifest?: string;
}

/** Source of a module with the strategy `tried`. `migrate` makes an action of rows of instance and destination. */
export function pluginSource({ propose, before = '', manifest = '' }: PluginParts): string {
  return `${before}
function migrateIn({ model }) {
  return (instance, host, change = {}) => {
    const { hostInfo, instanceInfo } = model.snapshot;
    const { name, uuid } = instanceInfo[instance];
    const inputParameters = {
      migration_type: model.usualWay(instance) ?? 'live',
      source_node: hostInfo[model.hostOf[instance]].hostname,
      destination_node: hostInfo[host].hostname,
      resource_name: name,
      resource_id: uuid,
      ...change,
    };
    const reason = { rule: 'tried', summary: 'It is tried.', values: [], rejected: [] };
    model.move(instance, host);
    return { actionType: 'migrate', inputParameters, reason };
  };
}

async function propose(context, migrate) {
  const { model, metrics, parameters, random, clock } = context;
  const hosts = model.snapshot.hostInfo.length;
  const instances = model.snapshot.instanceInfo.length;
  const may = (instance, host) => model.immovable(instance) === null && model.refusal(instance, host) === null;
${propose}
}

const tried = {
  manifest: {
    kind: 'strategy',
    name: 'tried',
    displayName: 'Tried',
    goal: 'unclassified',
    description: 'Is assessed.',
    parameters: { type: 'object', properties: {} },
    metrics: [],
    models: ['compute'],
    planner: 'resource',
    needsCompleteModel: false,
    ${manifest}
  },
  async run(context) {
    const actions = await propose(context, migrateIn(context));
    const { hostInfo, instanceInfo } = context.model.snapshot;
    return {
      actions,
      indicators: {},
      report: {
        hosts: { considered: hostInfo.length, eligible: hostInfo.length },
        instances: { considered: instanceInfo.length, eligible: instanceInfo.length },
        blocked: [],
        emptyBecause: actions.length > 0 ? null : 'There is nothing to do.',
        notes: [],
      },
    };
  },
};

export const kitVersion = 1;
export const plugins = [tried];
`;
}

/** Writes the plugin to a new folder. Returns the folder. */
export async function writePlugin(parent: string, name: string, parts: PluginParts): Promise<string> {
  const folder = join(parent, name);
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "exports": "./index.js" }\n');
  await writeFile(join(folder, 'index.js'), pluginSource(parts));
  return folder;
}
