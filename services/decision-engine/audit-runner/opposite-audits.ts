import { type ComputeSnapshot, hostsInBoth } from '#libs/cluster-model';
import type { AuditScope, OppositeAuditsMode } from '#libs/domain';
import type { AimedAudit } from '#libs/store';
import { AuditRefusedError } from './errors.ts';

/** Audits whose aim undoes that of an audit, and how they are treated. */
export interface OppositeAudits {
  /** Id of the audit that runs. Audits that were created before it have a smaller one. */
  id: number;
  audits: readonly AimedAudit[];
}

const words = { pack: 'packs instances onto few hosts', spread: 'spreads load over hosts' } as const;

/**
 * Notes for the report on audits that undo this one on the same hosts. None when it shares no host with them.
 * @throws AuditRefusedError in the mode `refuse` when one of them is older
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
    const note = `audit ${other.name} ${words[other.aim]} on ${hosts} ${hosts === 1 ? 'host' : 'hosts'} of this one: they undo each other`;
    if (mode === 'refuse' && other.id < id)
      throw new AuditRefusedError(`${note}; cancel one, or give them other scopes`);
    return [note];
  });
}
