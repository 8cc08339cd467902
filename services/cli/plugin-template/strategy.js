import { manifest } from './manifest.js';

/**
 * @typedef {import('openstack-vigil/plugin-kit').StrategyContext<{ max_instances: number }>} Context
 * @typedef {import('openstack-vigil/plugin-kit').ProposedAction} ProposedAction
 * @typedef {import('openstack-vigil/plugin-kit').StrategyResult} StrategyResult
 */

/**
 * @param {Context} context
 * @returns {Promise<StrategyResult>}
 */
async function run({ model, parameters }) {
  const { hostInfo, instanceInfo } = model.snapshot;
  /** @type {ProposedAction[]} */
  const actions = [];
  let movable = 0;
  for (const instance of instanceInfo.keys()) {
    if (model.immovable(instance) !== null || model.snapshot.instances.state[instance] !== 0) continue;
    movable += 1;
    const source = model.hostOf[instance];
    if (source < 0 || model.instancesOn(source).length <= parameters.max_instances) continue;
    const action = moveToFirst(model, instance, source, parameters.max_instances);
    if (action !== null) actions.push(action);
  }
  return {
    actions,
    indicators: {},
    report: {
      hosts: { considered: hostInfo.length, eligible: hostInfo.length },
      instances: { considered: instanceInfo.length, eligible: movable },
      blocked: [],
      emptyBecause: actions.length > 0 ? null : 'No host has more instances than max_instances, or none takes them.',
      notes: [],
    },
  };
}

/**
 * @param {Context['model']} model
 * @param {number} instance row of the instance
 * @param {number} source row of its host
 * @param {number} limit most instances that a host may have
 * @returns {ProposedAction | null}
 */
function moveToFirst(model, instance, source, limit) {
  const { hostInfo, instanceInfo } = model.snapshot;
  for (const [host, { hostname }] of hostInfo.entries()) {
    const count = model.instancesOn(host).length;
    if (host === source || count >= limit || model.refusal(instance, host) !== null) continue;
    const before = model.instancesOn(source).length;
    model.move(instance, host);
    const { name, uuid } = instanceInfo[instance];
    const from = hostInfo[source].hostname;
    return {
      actionType: 'migrate',
      inputParameters: {
        migration_type: 'live',
        source_node: from,
        destination_node: hostname,
        resource_name: name,
        resource_id: uuid,
      },
      reason: {
        rule: 'too-many-instances',
        summary: `${from} has ${before} instances, more than ${limit}; ${hostname} has ${count} and may have ${name}.`,
        values: [
          { quantity: 'instances', subject: from, unit: '', before, after: before - 1 },
          { quantity: 'instances', subject: hostname, unit: '', before: count, after: count + 1 },
        ],
        rejected: [],
      },
    };
  }
  return null;
}

/** @type {import('openstack-vigil/plugin-kit').StrategyPlugin<{ max_instances: number }>} */
export const myStrategy = { manifest, run };
