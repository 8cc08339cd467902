import { ConfigurationError } from '#libs/domain';
import type { ComputeService, Server } from '#libs/openstack';

/** Name of the cell of a service host. Null when no pattern matches. */
export type CellOf = (host: string) => string | null;

/** Maximum number of hosts that a gap names. */
const namedHosts = 5;

/** Parses `VIGIL_NOVA_CELLS`: `cell=pattern|pattern`. The first match wins. Throws ConfigurationError. */
export function parseCells(entries: readonly string[]): CellOf {
  const cells = entries.map((entry) => {
    const at = entry.indexOf('=');
    const patterns = entry
      .slice(at + 1)
      .split('|')
      .filter((pattern) => pattern !== '');
    if (at < 1 || patterns.length === 0) {
      throw new ConfigurationError([`VIGIL_NOVA_CELLS: "${entry}" is not cell=pattern|pattern`]);
    }
    return { name: entry.slice(0, at).trim(), patterns: patterns.map(asExpression) };
  });
  return (host) => cells.find(({ patterns }) => patterns.some((pattern) => pattern.test(host)))?.name ?? null;
}

function asExpression(pattern: string): RegExp {
  const escaped = pattern.trim().replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*')}$`);
}

/**
 * Gap for the cells whose database does not respond. Nova then omits their hypervisors, and lists their services and
 * servers with the status UNKNOWN.
 */
export function unreachableCells(
  services: readonly ComputeService[],
  servers: readonly Server[],
  cellOf: CellOf,
): string[] {
  const byCell = new Map<string, string[]>();
  for (const { host, unreachable } of services) {
    if (unreachable !== true) continue;
    const cell = cellOf(host);
    const name = cell === null ? 'a cell of Nova' : `the cell ${cell} of Nova`;
    byCell.set(name, [...(byCell.get(name) ?? []), host]);
  }
  const gaps = [...byCell].map(([name, hosts]) => {
    const more = hosts.length > namedHosts ? ` and ${hosts.length - namedHosts} more` : '';
    return `${name} cannot be read: hosts ${hosts.slice(0, namedHosts).join(', ')}${more}`;
  });
  const hidden = servers.filter(({ status }) => status === 'UNKNOWN').length;
  if (hidden > 0) gaps.push(`${hidden} servers are in a cell of Nova that cannot be read`);
  return gaps;
}

/** Number of hosts of each named cell as `cell_<name>`, for logs. */
export function hostsByCell(hosts: readonly { hostname: string }[], cellOf: CellOf): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { hostname } of hosts) {
    const cell = cellOf(hostname);
    if (cell !== null) counts[`cell_${cell}`] = (counts[`cell_${cell}`] ?? 0) + 1;
  }
  return counts;
}
