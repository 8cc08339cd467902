import type { RejectedAlternative } from '#libs/domain';
import { moveWithAllocations } from '../shared/hosts/allocation-values.ts';
import { hostAt, instanceAt, instanceLabel } from '../shared/hosts/rows.ts';
import { migrateAction, migrationTypeOf } from '../shared/moves/actions.ts';
import { findRoom } from '../shared/moves/find-room.ts';
import type { ZonePlan } from './plan-zone.ts';

interface Destination {
  /** Row, −1 without one. */
  host: number;
  because: string;
  rejected: RejectedAlternative[];
  /** Why this host was chosen, as text. */
  why: string;
}

/**
 * The named host if it accepts the instance. Without a name, the least allocated host outside the sources. Nova would
 * choose another source, since emptied hosts have the most room.
 */
function findDestination(plan: ZonePlan, instance: number, source: string): Destination {
  const { model, parameters, sources } = plan;
  const name = parameters.compute_nodes?.find(({ src_node }) => src_node === source)?.dst_node;
  if (name === undefined) {
    const room = findRoom(model, instance, model.hostOf[instance] as number, { avoid: sources });
    const why = ', the least allocated host outside the sources that takes it';
    return { host: room.host, because: room.mainConstraint ?? 'no-other-host', rejected: room.rejected, why };
  }
  const host = model.hostRow(name);
  if (host === undefined) return { host: -1, because: 'unknown-host', rejected: [], why: '' };
  const refusal = model.refusal(instance, host);
  return { host: refusal === null ? host : -1, because: refusal ?? '', rejected: [], why: '' };
}

/** Plans the migration of an instance, unless it is already handled, a limit is reached, or no host accepts it. */
export function moveInstance(plan: ZonePlan, instance: number): void {
  const { model, budget, blocked, handled, planned } = plan;
  const { snapshot } = model;
  if (handled.has(instance)) return;
  const info = instanceAt(snapshot, instance);
  const source = model.hostOf[instance] as number;
  const from = hostAt(snapshot, source);
  if (budget.isSpent() || !budget.hasRoom('node', from.hostname)) {
    budget.postponed++;
    return;
  }
  handled.add(instance);
  const immovable = model.immovable(instance);
  const destination = immovable === null ? findDestination(plan, instance, from.hostname) : null;
  if (destination === null || destination.host < 0) {
    blocked.add(immovable ?? destination?.because ?? 'no-other-host', instanceLabel(info));
    return;
  }
  const notYet = plan.atStart.hosts.refusal(instance, destination.host);
  if (notYet !== null) {
    plan.waiting++;
    blocked.add(notYet, instanceLabel(info));
    return;
  }
  plan.atStart.hosts.moved(instance, source, destination.host);
  const to = hostAt(snapshot, destination.host);
  const type = migrationTypeOf(snapshot, instance);
  budget.spend('node', from.hostname);
  planned[type]++;
  plan.actions.push(
    migrateAction(info, type, from, to, {
      rule: 'leave-zone',
      summary: `${instanceLabel(info)} leaves ${from.hostname} by ${type} migration to ${to.hostname}${destination.why}.`,
      values: moveWithAllocations(model, instance, destination.host),
      rejected: destination.rejected,
    }),
  );
}
