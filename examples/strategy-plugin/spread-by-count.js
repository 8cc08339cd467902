import { manifest } from './manifest.js';

/**
 * @typedef {import('openstack-vigil/plugin-kit').StrategyContext<{ max_difference: number, max_migrations: number }>} Context
 * @typedef {import('openstack-vigil/plugin-kit').ProposedAction} ProposedAction
 * @typedef {import('openstack-vigil/plugin-kit').StrategyResult} StrategyResult
 * @typedef {{ tally: Map<string, { constraint: string, count: number, examples: string[] }> }} Blocked
 */

/**
 * Repeats one step until nothing is left to do: take an instance of the fullest host to the emptiest host that may have
 * it. Each step looks at the instances of one host and at all hosts, so a run costs O(migrations × hosts).
 *
 * @param {Context} context
 * @returns {Promise<StrategyResult>}
 */
async function run(context) {
  const { model, parameters, log } = context;
  const hosts = eligibleHosts(model);
  const before = spread(model, hosts);
  /** @type {ProposedAction[]} */
  const actions = [];
  /** @type {Blocked} */
  const blocked = { tally: new Map() };
  while (actions.length < parameters.max_migrations) {
    const action = step(context, hosts, blocked);
    if (action === null) break;
    actions.push(action);
  }
  log.info({ migrations: actions.length }, 'instances were spread by count');
  const movable = model.snapshot.instanceInfo.filter((_, instance) => model.immovable(instance) === null).length;
  return {
    actions,
    indicators: {
      instance_migrations_count: actions.length,
      instances_count: model.snapshot.instanceInfo.length,
      standard_deviation_before_audit: before,
      standard_deviation_after_audit: spread(model, hosts),
    },
    report: {
      hosts: { considered: model.snapshot.hostInfo.length, eligible: hosts.length },
      instances: { considered: model.snapshot.instanceInfo.length, eligible: movable },
      blocked: [...blocked.tally.values()],
      emptyBecause: actions.length > 0 ? null : whyEmpty(blocked, hosts),
      notes: [],
    },
  };
}

/**
 * @param {Context['model']} model
 * @returns {number[]} rows of the hosts that take instances
 */
function eligibleHosts(model) {
  return model.snapshot.hostInfo.map((_, host) => host).filter((host) => model.enabled[host] === 1);
}

/**
 * @param {Context} context
 * @param {number[]} hosts
 * @param {Blocked} blocked
 * @returns {ProposedAction | null}
 */
function step({ model, parameters }, hosts, blocked) {
  const count = (/** @type {number} */ host) => model.instancesOn(host).length;
  const byCount = [...hosts].sort((a, b) => count(a) - count(b) || a - b);
  for (const source of [...byCount].reverse()) {
    for (const destination of byCount) {
      if (count(source) - count(destination) <= parameters.max_difference) break;
      const instance = firstThatFits(model, source, destination, blocked);
      if (instance !== null) return move(model, instance, source, destination);
    }
  }
  return null;
}

/**
 * @param {Context['model']} model
 * @param {number} source
 * @param {number} destination
 * @param {Blocked} blocked
 * @returns {number | null}
 */
function firstThatFits(model, source, destination, blocked) {
  const { instanceInfo, instances } = model.snapshot;
  for (const instance of [...model.instancesOn(source)].sort((a, b) => a - b)) {
    const active = instances.state[instance] === 0;
    const because = model.immovable(instance) ?? (active ? model.refusal(instance, destination) : 'instance-state');
    if (because === null) return instance;
    tell(blocked, because, instanceInfo[instance].name);
  }
  return null;
}

/**
 * @param {Blocked} blocked
 * @param {string} constraint
 * @param {string} name
 */
function tell(blocked, constraint, name) {
  const entry = blocked.tally.get(constraint) ?? { constraint, count: 0, examples: [] };
  blocked.tally.set(constraint, entry);
  if (entry.examples.includes(name)) return;
  entry.count += 1;
  if (entry.examples.length < 10) entry.examples.push(name);
}

/**
 * @param {Context['model']} model
 * @param {number} instance
 * @param {number} source
 * @param {number} destination
 * @returns {ProposedAction}
 */
function move(model, instance, source, destination) {
  const { instanceInfo, hostInfo } = model.snapshot;
  const from = hostInfo[source].hostname;
  const to = hostInfo[destination].hostname;
  const quantity = 'instances';
  const counts = [model.instancesOn(source).length, model.instancesOn(destination).length];
  model.move(instance, destination);
  return {
    actionType: 'migrate',
    inputParameters: {
      migration_type: 'live',
      source_node: from,
      destination_node: to,
      resource_name: instanceInfo[instance].name,
      resource_id: instanceInfo[instance].uuid,
    },
    reason: {
      rule: 'fullest-to-emptiest',
      summary: `${from} has ${counts[0]} instances and ${to} has ${counts[1]}; moving ${instanceInfo[instance].name} evens them out.`,
      values: [
        { quantity, subject: from, unit: '', before: counts[0], after: counts[0] - 1 },
        { quantity, subject: to, unit: '', before: counts[1], after: counts[1] + 1 },
      ],
      rejected: [],
    },
  };
}

/**
 * Standard deviation of the numbers of instances per host.
 *
 * @param {Context['model']} model
 * @param {number[]} hosts
 * @returns {number}
 */
function spread(model, hosts) {
  if (hosts.length === 0) return 0;
  const counts = hosts.map((host) => model.instancesOn(host).length);
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return Math.sqrt(counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length);
}

/**
 * @param {Blocked} blocked
 * @param {number[]} hosts
 * @returns {string}
 */
function whyEmpty(blocked, hosts) {
  if (hosts.length < 2) return 'There are fewer than two enabled hosts.';
  if (blocked.tally.size > 0) return 'No instance of the fuller hosts may go to an emptier one.';
  return 'The numbers of instances differ by no more than max_difference.';
}

/** @type {import('openstack-vigil/plugin-kit').StrategyPlugin<{ max_difference: number, max_migrations: number }>} */
export const spreadByCount = { manifest, run };
