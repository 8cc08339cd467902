import type { AuditPreview } from '#libs/client';

type Proposed = AuditPreview['actions'][number];

/**
 * Actions in the order in which a strategy computed their numbers: where one takes a quantity of a host from 80 to 70
 * and another from 70 to 60, the first comes first. A plan has them in the order of their execution. Actions without
 * such a relation keep the order of the plan.
 */
export function inFallingOrder(actions: readonly Proposed[]): Proposed[] {
  const makers = new Map<string, number[]>();
  for (const [index, action] of actions.entries()) {
    for (const key of keysOf(action, 'after')) makers.set(key, [...(makers.get(key) ?? []), index]);
  }
  const before = actions.map((action, index) =>
    keysOf(action, 'before').flatMap((key) => (makers.get(key) ?? []).filter((maker) => maker !== index)),
  );
  const left = new Set(actions.keys());
  const ordered: Proposed[] = [];
  while (left.size > 0) {
    const next = firstReady(left, before);
    left.delete(next);
    ordered.push(actions[next]!);
  }
  return ordered;
}

/** The first action whose predecessors are all placed. Numbers that return to an earlier value have no order. */
function firstReady(left: ReadonlySet<number>, before: readonly (readonly number[])[]): number {
  for (const index of left) {
    if (before[index]?.every((maker) => !left.has(maker))) return index;
  }
  const [first = 0] = left;
  return first;
}

/** A key for each quantity that an action changes, with its value before or after. */
function keysOf({ reason }: Proposed, side: 'before' | 'after'): string[] {
  return reason.values
    .filter((value) => value.before !== value.after)
    .map((value) => `${value.quantity} ${value.subject} ${value[side]}`);
}
