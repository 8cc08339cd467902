import type { WhatIf } from '#libs/cluster-model';
import { type BeforeAfter, counted, type RejectedAlternative } from '#libs/domain';
import type { ProposedAction } from '#libs/plugin-kit';
import { moveWithAllocations } from '../shared/hosts/allocation-values.ts';
import { hostAt, instanceAt, instanceLabel, shortNumber } from '../shared/hosts/rows.ts';
import { disableFreedAction, freedReason, migrateAction, migrationTypeOf } from '../shared/moves/actions.ts';
import type { Emptied } from '../shared/moves/emptying-run.ts';
import { createRejections } from '../shared/report/blocked-tally.ts';
import type { MeasuredCpu } from './measured-cpu.ts';

/** Maximum number of more loaded hosts that an explanation checks. */
const explainedHosts = 32;

interface Scene {
  /** The model before the plan. The moves are applied to it. */
  model: WhatIf;
  cpu: MeasuredCpu;
  order: readonly number[];
  /** Position of each host in the order. */
  places: ReadonlyMap<number, number>;
  freed: ReadonlySet<number>;
}

/** Hosts before the destination that did not accept the instance, and the next host after it. */
function rejectedHosts(
  { model, cpu, order, places, freed }: Scene,
  instance: number,
  to: number,
): RejectedAlternative[] {
  const rejections = createRejections((host) => hostAt(model.snapshot, host).hostname);
  for (const host of order.slice(0, explainedHosts)) {
    if (host === to) break;
    if (freed.has(host)) continue;
    const full = cpu.free(host) < cpu.ofInstance(instance) ? 'measured-use' : 'filled-by-this-plan';
    rejections.add(model.refusal(instance, host) ?? full, host);
  }
  const next = order[(places.get(to) ?? order.length) + 1];
  if (next !== undefined) rejections.add(freed.has(next) ? 'to-be-freed' : 'less-loaded', next);
  return rejections.list();
}

function percentOf(cpu: MeasuredCpu, host: number): number {
  return (cpu.ofHost(host) / cpu.cpusOf(host)) * 100;
}

function explainMove(scene: Scene, { instance, from, to }: Emptied['moves'][number]): ProposedAction {
  const { model, cpu } = scene;
  const { snapshot } = model;
  const hosts = [from, to];
  const rejected = rejectedHosts(scene, instance, to);
  const before = hosts.map((host) => percentOf(cpu, host));
  const allocations = moveWithAllocations(model, instance, to);
  cpu.moved(instance, from, to);
  const loads = hosts.map(
    (host, index): BeforeAfter => ({
      quantity: 'host_cpu_usage',
      subject: hostAt(snapshot, host).hostname,
      unit: '%',
      before: before[index] ?? 0,
      after: percentOf(cpu, host),
    }),
  );
  const [source, destination] = [hostAt(snapshot, from), hostAt(snapshot, to)];
  const info = instanceAt(snapshot, instance);
  return migrateAction(info, migrationTypeOf(snapshot, instance), source, destination, {
    rule: 'empty-least-loaded-host',
    summary:
      `${instanceLabel(info)} leaves ${source.hostname}, which is to be freed, for ${destination.hostname}, the most ` +
      `loaded host that takes it; its CPU goes from ${shortNumber(before[1] ?? 0)} % to ` +
      `${shortNumber(loads[1]?.after ?? 0)} %.`,
    values: [...loads, ...allocations],
    rejected,
  });
}

function explainDisable(scene: Scene, host: number, moved: number): ProposedAction {
  const { hostname } = hostAt(scene.model.snapshot, host);
  return disableFreedAction(hostAt(scene.model.snapshot, host), freedReason, {
    rule: 'freed-host',
    summary: `${hostname} is empty after ${counted(moved, 'migration')}; nothing new shall be scheduled to it.`,
    values: [
      { quantity: 'instances', subject: hostname, unit: '', before: moved, after: 0 },
      { quantity: 'enabled', subject: hostname, unit: '', before: 1, after: 0 },
    ],
    rejected: [],
  });
}

/** All actions with their reasons: the migrations in a feasible order, then the disabling of freed hosts. */
export function explainPlan(
  model: WhatIf,
  cpu: MeasuredCpu,
  order: readonly number[],
  { freed, moves }: Pick<Emptied, 'freed' | 'moves'>,
): ProposedAction[] {
  const places = new Map(order.map((host, place) => [host, place]));
  const scene: Scene = { model, cpu, order, places, freed: new Set(freed) };
  const counts = new Map<number, number>();
  for (const { from } of moves) counts.set(from, (counts.get(from) ?? 0) + 1);
  return [
    ...moves.map((move) => explainMove(scene, move)),
    ...freed.map((host) => explainDisable(scene, host, counts.get(host) ?? 0)),
  ];
}
