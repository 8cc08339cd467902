import type { FastifyReply } from 'fastify';
import { type OppositeAuditsMode, oppositeAim, type StrategyAim, scopesMayOverlap } from '#libs/domain';
import { type AimedAudit, type AuditView, findOppositeAudits, mergingStrategies, type UnitOfWork } from '#libs/store';
import { conflict } from '../../../http/faults/fault.ts';
import { pythonText } from '../../../http/faults/notation.ts';

const words: Readonly<Record<StrategyAim, string>> = {
  pack: 'packs instances onto few hosts',
  spread: 'spreads load over hosts',
};

/**
 * Compares a new or changed audit with the CONTINUOUS audits whose aim undoes its own, in a scope that may have the
 * same hosts. Call it in the transaction of the change, after it.
 * @returns the text of a warning. Null without such an audit
 * @throws ApiFault 409 in the mode `refuse`, and in the mode `merge` when the strategies cannot be merged
 */
export async function checkOppositeAudits(
  unit: Pick<UnitOfWork, 'audits' | 'strategies' | 'lock'>,
  audit: AuditView,
  mode: OppositeAuditsMode,
): Promise<string | null> {
  if (audit.auditType !== 'CONTINUOUS') return null;
  // Without it, two audits that are created concurrently would not find each other.
  if (mode !== 'allow') await unit.lock('opposite-audits');
  const [other] = (await findOppositeAudits(unit, audit)).filter(({ scope }) => scopesMayOverlap(audit.scope, scope));
  if (other === undefined) return null;
  const reason =
    `audit ${other.name} (${other.uuid}) ${words[other.aim]} in a scope that may have the same hosts, ` +
    `and this one ${words[oppositeAim[other.aim]]}: they undo each other`;
  if (mode === 'allow') return reason;
  if (mode === 'merge' && other.against === null)
    return `${reason}; the younger one is computed with both aims (VIGIL_OPPOSITE_AUDITS=merge)`;
  const advice = mode === 'merge' ? await whyNotMerged(unit, other) : '';
  const [field, value] =
    audit.strategyName === null ? ['goal', audit.goalName] : (['strategy', audit.strategyName] as const);
  throw conflict(`Invalid input for field/attribute ${field}. Value: '${pythonText(value)}'. The ${reason}${advice}`);
}

async function whyNotMerged(unit: Pick<UnitOfWork, 'strategies'>, { against }: AimedAudit): Promise<string> {
  const merging = mergingStrategies(await unit.strategies.list());
  const names = (against ?? []).join(', ');
  return `, and their aims cannot be merged because of ${names}; strategies that can: ${merging.join(', ')}`;
}

/** Adds a `Warning` that clients of Watcher ignore and Vigil's show. */
export function warn(reply: FastifyReply, text: string | null): void {
  if (text === null) return;
  const quoted = text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&');
  reply.header('Warning', `299 vigil "${quoted}"`);
}
