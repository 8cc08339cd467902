import { spreadOf } from './cloud-numbers.ts';
import { shownHosts, shownPools } from './shown-world.ts';
import type { CloudHost, CloudState, SimulatedCloud } from './simulated-cloud.ts';

/** Seconds over which the strategies average loads. The simulator takes a sample each second. */
export const periodSeconds = 8;

/** The situation for which a kind of plan chooses its parameters. */
export interface Situation {
  state: CloudState;
  cloud: SimulatedCloud;
  /** POST to the control API of the simulator. */
  control(path: string, body: object): Promise<unknown>;
  random(): number;
}

/** A strategy, and parameters with which it proposes something in the world of the judge. */
export interface PlanKind {
  strategy: string;
  /** Prepares the cloud and returns parameters to try in order, until one gives a plan with actions. */
  parameters(situation: Situation): object[] | Promise<object[]>;
}

const window = { period: periodSeconds, granularity: 1 };
const noReserve = { failure_reserve: 0 };
const search = { period: periodSeconds, time_limit: 1, effort: 'best', min_gain: 0 };

const fullestOf = ({ hosts }: CloudState): CloudHost =>
  hosts.reduce((most, host) => (host.instances > most.instances ? host : most));
/** Hosts with instances that strategies may empty. */
const usedHosts = ({ hosts }: CloudState) =>
  hosts.filter(({ name, instances }) => instances > 0 && name !== shownHosts.crowded);

function oneOf<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
}

const falling = (from: number, to: number, step: number) =>
  Array.from({ length: Math.floor((from - to) / step) + 1 }, (_, place) => from - place * step);

const simple = (strategy: string, ...parameters: object[]): PlanKind => ({ strategy, parameters: () => parameters });

/** Every strategy that proposes actions. */
export const planKinds: readonly PlanKind[] = [
  simple('workload_stabilization', {
    thresholds: { instance_cpu_usage: 0.02 },
    periods: { instance: periodSeconds, compute_node: periodSeconds },
    granularity: 1,
  }),
  {
    strategy: 'workload_balance',
    parameters: ({ state }) =>
      [0.8, 0.7, 0.6].map((part) => ({ ...window, threshold: spreadOf(state, 'cpu_load').highest * part })),
  },
  simple('allocation_balance', {}),
  simple('allocation_balance', { resource: 'memory', share_tolerance: 1 }),
  simple('balance_optimizer', { ...search, preset: 'even', max_moves: 6 }),
  simple('placement_optimizer', { ...search, preset: 'balance', max_moves: 5 }),
  simple('placement_optimizer', { ...search, preset: 'defragment', flavors: ['large'], max_moves: 5 }),
  simple('consolidation_optimizer', { period: periodSeconds, reserve_hosts: 0, time_limit: 1 }),
  simple('vm_workload_consolidation', { ...window, ...noReserve }),
  simple('basic', { ...window, ...noReserve }),
  simple('node_resource_consolidation', { host_choice: 'auto', ...noReserve }),
  {
    strategy: 'host_maintenance',
    parameters: ({ state, random }) => [{ maintenance_node: oneOf(usedHosts(state), random).name }],
  },
  {
    strategy: 'rolling_maintenance',
    parameters: ({ state, random }) => [{ compute_nodes: [oneOf(usedHosts(state), random).name] }],
  },
  {
    strategy: 'host_return',
    async parameters({ cloud, random }) {
      const name = oneOf(shownHosts.common, random);
      await cloud.setHost(name, false);
      return [{ compute_nodes: [name], any_reason: true }];
    },
  },
  {
    strategy: 'failed_host_evacuation',
    async parameters({ control, state, random }) {
      const { name } = oneOf(usedHosts(state), random);
      await control('/faults', { kind: 'host-down', host: name });
      return [{ fenced_hosts: [name], local_disks: 'evacuate' }];
    },
  },
  {
    strategy: 'zone_migration',
    parameters: ({ state }) => [
      {
        compute_nodes: [{ src_node: fullestOf(state).name, dst_node: shownHosts.idle[0] }],
        storage_pools: [{ src_pool: shownPools.old, dst_pool: shownPools.empty }],
      },
    ],
  },
  {
    strategy: 'outlet_temperature',
    parameters: () => falling(40, 31, 0.5).map((threshold) => ({ ...window, threshold })),
  },
  {
    strategy: 'uniform_airflow',
    parameters: () => falling(440, 240, 20).map((airflow) => ({ ...window, threshold_airflow: airflow })),
  },
  {
    strategy: 'noisy_neighbor',
    async parameters({ cloud, state }) {
      // Plans of other strategies separate them.
      for (const { id, name, host } of state.servers)
        if (['victim', 'noisy'].includes(name) && host !== shownHosts.crowded) await cloud.move(id, shownHosts.crowded);
      // Both want 2 % more than its CPUs, so the victim waits for 2 % of its load of 6 %.
      return [{ period: periodSeconds, signal: 'steal', steal_threshold: 0.05 }];
    },
  },
  simple('storage_capacity_balance', { volume_threshold: 75 }),
  {
    strategy: 'saving_energy',
    async parameters({ cloud, state }) {
      // Plans of other strategies fill the hosts that this one switches off.
      const isIdle = (name: string) => shownHosts.idle.some((idle) => idle === name);
      const roomy = state.hosts
        .filter(({ name }) => !isIdle(name) && name !== shownHosts.crowded)
        .sort((left, right) => left.memory - right.memory);
      for (const [place, { id }] of state.servers.filter(({ host }) => isIdle(host)).entries()) {
        const to = roomy[place % roomy.length];
        if (to) await cloud.move(id, to.name);
      }
      return [{ min_free_hosts_num: 1, ...noReserve }, { min_free_hosts_num: 3 }];
    },
  },
  simple('dummy', {}),
  simple('dummy_with_scorer', {}),
  simple('dummy_with_resize', {}),
  simple('actuator', {
    actions: [
      { action_type: 'nop', input_parameters: { message: 'by hand' } },
      { action_type: 'sleep', input_parameters: { duration: 1 } },
    ],
  }),
];
