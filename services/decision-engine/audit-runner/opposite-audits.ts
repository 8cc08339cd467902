import { type ComputeSnapshot, hostsInBoth } from '#libs/cluster-model';
import type { AuditScope, OppositeAuditsMode } from '#libs/domain';
import { counted } from '#libs/domain';
import type { AimedAudit } from '#libs/store';
import { AuditRefusedError } from './errors.ts';

/** Audits with the opposite aim of an audit, and their treatment. */
export interface OppositeAudits {
  /** Id of the audit that runs. Audits that were created before it have a smaller one. */
  id: number;
  audits: readonly AimedAudit[];
}

const words = { pack: 'packs instances onto few hosts', spread: 'spreads load over hosts' } as const;

/**
 * Report notes on audits with the opposite aim on the same hosts. Empty without common hosts.
 * @throws AuditRefusedError when one of them is older, in the mode `refuse`, and in the mode `merge` when the aims
 * cannot be merged
 */
export function judgeOppositeAudits(
  whole: ComputeSnapshot,
  scope: AuditScope,
  { id, audits }: OppositeAudits,
  mode: OppositeAuditsMode,
): string[] {
  return audits.flatMap((other) => {
    const hosts = hostsInBoth(whole, scope, other.scope);
    if (hosts === 0) return [];
    const note = `audit ${other.name} ${words[other.aim]} on ${counted(hosts, 'host')} of this one: they undo each other`;
    if (mode === 'allow' || other.id > id) return [note];
    if (mode === 'refuse') throw new AuditRefusedError(`${note}; cancel one, or give them other scopes`);
    if (other.against === null) return [`${note}, so this plan is computed with both aims`];
    const names = other.against.join(', ');
    throw new AuditRefusedError(
      `${note}, and their aims cannot be merged because of ${names}; cancel one, or give them other scopes`,
    );
  });
}
