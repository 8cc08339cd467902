import { hostFlag, instanceStates, type WhatIf } from '#libs/cluster-model';
import { counted } from '#libs/domain';
import type { ProposedAction, StrategyManifest, StrategyPlugin, StrategyResult } from '#libs/plugin-kit';
import { moveWithAllocations } from '../shared/hosts/allocation-values.ts';
import { hostAt, instanceAt, instanceLabel, namedHost } from '../shared/hosts/rows.ts';
import { evacuateAction } from '../shared/moves/actions.ts';
import { findRoom } from '../shared/moves/find-room.ts';
import { type BlockedTally, createBlockedTally } from '../shared/report/blocked-tally.ts';
import { affinityWayOut } from './affinity-way-out.ts';
import { type FailedHostEvacuationParameters, failedHostEvacuationParameters } from './parameters.ts';

/** Manifest of `failed_host_evacuation`. */
const failedHostEvacuationManifest: StrategyManifest = {
  kind: 'strategy',
  name: 'failed_host_evacuation',
  displayName: 'Failed Host Evacuation Strategy',
  goal: 'cluster_maintaining',
  description:
    'Rebuilds the instances of failed compute nodes on other nodes. A node counts as failed when its compute ' +
    'service is down and it is fenced: forced down in Nova, or named by the operator. A node that only stopped ' +
    'reporting is never evacuated, because its guests may still run.',
  parameters: failedHostEvacuationParameters,
  metrics: [],
  models: ['compute'],
  planner: 'resource',
  needsCompleteModel: false,
  byOrder: true,
};

/** Hosts whose compute service is down, by the evidence for their failure. */
interface DownHosts {
  /** Row, and the authority that guarantees that no guest runs on it. */
  fenced: Map<number, 'forced_down' | 'operator'>;
  /** Rows of hosts that only stopped reporting. */
  silent: number[];
}

interface Task {
  model: WhatIf;
  /** Rows of the hosts that the operator has fenced. They receive no instances, even while Nova shows them as up. */
  named: ReadonlySet<number>;
  leavesLocalDisks: boolean;
  blocked: BlockedTally;
}

function sortHosts(model: WhatIf, named: ReadonlySet<number>): DownHosts {
  const down: DownHosts = { fenced: new Map(), silent: [] };
  model.snapshot.hosts.flags.forEach((flags, row) => {
    if (flags & hostFlag.forcedDown) down.fenced.set(row, 'forced_down');
    else if (flags & hostFlag.up) return;
    else if (named.has(row)) down.fenced.set(row, 'operator');
    else down.silent.push(row);
  });
  return down;
}

/** Reason that keeps an instance on its failed host, or null. */
function held({ model, leavesLocalDisks }: Task, instance: number): string | null {
  const hasLocalDisk = (model.snapshot.instances.disk[instance] as number) > 0;
  return model.immovable(instance, 'evacuate') ?? (leavesLocalDisks && hasLocalDisk ? 'local-disk' : null);
}

function evacuate(task: Task, instance: number, fencedBy: 'forced_down' | 'operator'): ProposedAction | null {
  const { model, named, blocked } = task;
  const { snapshot } = model;
  const info = instanceAt(snapshot, instance);
  const source = model.hostOf[instance] as number;
  const because = held(task, instance);
  const room = because === null ? findRoom(model, instance, source, { avoid: named, way: 'evacuate' }) : null;
  if (room === null || room.host < 0) {
    blocked.add(because ?? room?.mainConstraint ?? 'no-other-host', instanceLabel(info));
    return null;
  }
  const [from, to] = [hostAt(snapshot, source), hostAt(snapshot, room.host)];
  const state = instanceStates[snapshot.instances.state[instance] as number];
  const who = fencedBy === 'operator' ? 'fenced by the operator' : 'forced down';
  return evacuateAction(
    info,
    { from, to, fencedBy },
    {
      rule: 'evacuate-failed-host',
      summary: `${instanceLabel(info)} (${state}) is rebuilt on ${to.hostname}, since ${from.hostname} is down and ${who}.`,
      values: moveWithAllocations(model, instance, room.host),
      rejected: room.rejected,
    },
  );
}

function notesOf(model: WhatIf, { silent }: DownHosts, named: ReadonlySet<number>): string[] {
  const nameOf = (row: number) => hostAt(model.snapshot, row).hostname;
  const isUp = (row: number) =>
    ((model.snapshot.hosts.flags[row] as number) & (hostFlag.up | hostFlag.forcedDown)) === hostFlag.up;
  return [
    ...[...named].filter(isUp).map((row) => `${nameOf(row)} is up: its instances are not evacuated`),
    ...silent.map(
      (row) => `${nameOf(row)} is down but not known to be fenced: force it down in Nova, or name it in fenced_hosts`,
    ),
  ];
}

function whyEmpty({ fenced, silent }: DownHosts, instances: number): string {
  if (instances > 0) return `none of ${counted(instances, 'instance')} on failed compute nodes can be evacuated`;
  if (fenced.size > 0) return 'the failed compute nodes have no instances';
  return silent.length > 0 ? 'no compute node that is down is known to be fenced' : 'no compute node is down';
}

/**
 * Rebuilds the instances of failed hosts on other hosts. Large instances are first, so small ones use the remaining
 * room.
 */
export const failedHostEvacuationStrategy: StrategyPlugin<FailedHostEvacuationParameters> = {
  manifest: failedHostEvacuationManifest,
  async run({ model, parameters }): Promise<StrategyResult> {
    const { snapshot } = model;
    const named = new Set(parameters.fenced_hosts.map((name) => namedHost(model, 'fenced_hosts', name)));
    const down = sortHosts(model, named);
    const blocked = createBlockedTally();
    const task: Task = { model, named, leavesLocalDisks: parameters.local_disks === 'leave', blocked };
    for (const row of down.silent) blocked.add('not-fenced', hostAt(snapshot, row).hostname);
    const { vcpus } = snapshot.instances;
    const stranded = [...down.fenced].flatMap(([row, fencedBy]) =>
      model.instancesOn(row).map((instance) => ({ instance, fencedBy })),
    );
    stranded.sort((a, b) => (vcpus[b.instance] as number) - (vcpus[a.instance] as number) || a.instance - b.instance);
    const actions = stranded.flatMap(({ instance, fencedBy }) => evacuate(task, instance, fencedBy) ?? []);
    const wayOut = affinityWayOut(
      model,
      new Set(down.fenced.keys()),
      named,
      (instance) => held(task, instance) !== null,
    );
    const left = stranded.length - actions.length;
    return {
      actions,
      indicators: {},
      report: {
        hosts: { considered: snapshot.hostInfo.length, eligible: down.fenced.size },
        instances: { considered: stranded.length, eligible: actions.length },
        blocked: blocked.counts(),
        emptyBecause: actions.length > 0 ? null : whyEmpty(down, stranded.length),
        notes: [
          ...notesOf(model, down, named),
          ...(left > 0
            ? [
                `${left} of ${counted(stranded.length, 'instance')} ${left === 1 ? 'stays' : 'stay'} on failed compute nodes`,
              ]
            : []),
          ...wayOut,
        ],
      },
    };
  },
};
