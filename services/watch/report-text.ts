import { printable } from '#libs/domain';
import type { GateReport } from '#libs/watchers';

/** A report for people: a line a node, and whether processes may work. */
export function reportText({ open, dependencies }: GateReport): string {
  const lines = dependencies.flatMap(({ name, required, nodes }) =>
    nodes.map(({ node, up, reason, durationMs }) => {
      const state = up ? `up (${durationMs} ms)` : `DOWN ${printable(reason ?? '')}`;
      return `${name.padEnd(11)} ${required ? 'required' : 'optional'}  ${node}  ${state}\n`;
    }),
  );
  return `${lines.join('')}${open ? 'open' : 'closed'}\n`;
}
