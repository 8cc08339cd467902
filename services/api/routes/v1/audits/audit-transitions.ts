import { type AuditEvent, type AuditState, auditStates, auditStateTable } from '#libs/domain';

/** State changes that a client may request by `replace /state`, from Watcher's table. */
const clientMoves: Record<AuditState, readonly AuditState[]> = {
  PENDING: ['ONGOING', 'CANCELLED'],
  ONGOING: ['FAILED', 'SUCCEEDED', 'CANCELLED', 'SUSPENDED'],
  FAILED: ['DELETED'],
  SUCCEEDED: ['DELETED'],
  CANCELLED: ['DELETED'],
  SUSPENDED: ['ONGOING', 'DELETED'],
  DELETED: [],
};

/** Events that a client can request. The others belong to the decision engine's leases. */
const clientEvents: readonly AuditEvent[] = ['claim', 'succeed', 'fail', 'cancel', 'suspend', 'resume', 'delete'];

/** Whether `text` names a state of audits. */
export function isAuditState(text: unknown): text is AuditState {
  return auditStates.some((state) => state === text);
}

/**
 * The events that lead from `from` to `to`. `replace` allows single moves of Watcher's table. `add` (which Watcher does
 * not check) any way through the state table.
 * @returns null when there is no way.
 */
export function auditEventsTo(from: AuditState, to: AuditState, op: 'add' | 'replace'): AuditEvent[] | null {
  if (op === 'replace') return clientMoves[from].includes(to) ? shortestWay(from, to) : null;
  return from === to ? [] : shortestWay(from, to);
}

function shortestWay(from: AuditState, to: AuditState): AuditEvent[] | null {
  const moves = auditStateTable.transitions.filter(({ event }) => clientEvents.includes(event));
  const reached = new Map<AuditState, AuditEvent[]>([[from, []]]);
  for (const [state, way] of reached) {
    if (state === to) return way;
    for (const move of moves) {
      if (move.from.includes(state) && !reached.has(move.to)) reached.set(move.to, [...way, move.event]);
    }
  }
  return null;
}
