/**
 * @typedef {import('openstack-vigil/plugin-kit').StrategyContext<{ max_migrations: number, time_limit: number }>} Context
 */

/** @type {import('openstack-vigil/plugin-kit').StrategyManifest} */
const manifest = {
  kind: 'strategy',
  name: 'spread_memory',
  displayName: 'Spread memory',
  goal: 'workload_balancing',
  description: 'Searches for the migrations that lower most what hosts have allocated above the mean share of memory.',
  parameters: {
    type: 'object',
    properties: {
      max_migrations: { description: 'migrations at most', type: 'integer', minimum: 1, default: 20 },
      time_limit: { description: 'budget of the search in seconds of work', type: 'integer', minimum: 1, default: 5 },
    },
  },
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
  // Two searches with other random numbers, side by side; the better one counts.
  starts: 2,
};

/**
 * Cost of a placement: MiB above the mean share of the hosts that take instances. A migration costs a GiB, so that only those are made which pay.
 *
 * @param {Context['model']} model
 * @returns {import('openstack-vigil/plugin-kit').PlacementCosts}
 */
function costsOf(model) {
  const { hosts, instances } = model.snapshot;
  const taking = hosts.memory.map((mib, host) => (model.enabled[host] === 1 ? mib : 0));
  const capacity = taking.reduce((sum, mib) => sum + mib, 0);
  const mean = capacity > 0 ? instances.memory.reduce((sum, mib) => sum + mib, 0) / capacity : 0;
  return {
    hinges: [{ weight: 1, use: instances.memory, limit: taking.map((mib) => mib * mean) }],
    movePrice: () => 1024,
  };
}

/**
 * @param {Context} context
 * @returns {Promise<import('openstack-vigil/plugin-kit').StrategyResult>}
 */
async function run(context) {
  const { model, parameters } = context;
  const { hostInfo, instanceInfo } = model.snapshot;
  const { moves, before, after, bound } = context.improvePlacement(costsOf(model), parameters.max_migrations);
  const actions = moves.map(({ instance, from, to }) => {
    const [source, destination] = [hostInfo[from].hostname, hostInfo[to].hostname];
    const { name, uuid } = instanceInfo[instance];
    const mib = (/** @type {number} */ host) => model.used(host).memory;
    const quantity = 'memory_allocated';
    const held = [mib(from), mib(to)];
    model.move(instance, to);
    return {
      actionType: 'migrate',
      inputParameters: {
        migration_type: 'live',
        source_node: source,
        destination_node: destination,
        resource_name: name,
        resource_id: uuid,
      },
      reason: {
        rule: 'spread-memory',
        summary: `${source} has ${held[0]} MiB allocated and ${destination} ${held[1]}; ${name} evens that out.`,
        values: [
          { quantity, subject: source, unit: 'MB', before: held[0], after: mib(from) },
          { quantity, subject: destination, unit: 'MB', before: held[1], after: mib(to) },
        ],
        rejected: [],
      },
    };
  });
  return {
    actions,
    indicators: { instance_migrations_count: actions.length, instances_count: instanceInfo.length },
    rank: [after],
    report: {
      hosts: { considered: hostInfo.length, eligible: hostInfo.filter((_, host) => model.enabled[host] === 1).length },
      instances: { considered: instanceInfo.length, eligible: instanceInfo.length },
      blocked: [],
      emptyBecause: actions.length > 0 ? null : 'No migration lowers what is above the mean by more than a GiB.',
      notes: [],
      objective: [{ level: 2, term: 'memory_above_mean', unit: 'MB', before, after, bound }],
    },
  };
}

/** @type {import('openstack-vigil/plugin-kit').StrategyPlugin<{ max_migrations: number, time_limit: number }>} */
export const spreadMemory = { manifest, run };
