import { useMemo } from 'react';
import { type Column, DataTable } from './data-table.tsx';
import { HostLink } from './links.tsx';
import { Nothing } from './states.tsx';

interface HostNumbers {
  instances: number;
  vcpus: number;
  memory: number;
  disk: number;
  enabled: boolean;
}

/** A host that a plan touches. */
export interface HostChange {
  hostname: string;
  before: HostNumbers | null;
  after: HostNumbers | null;
  instances_in: number;
  instances_out: number;
}

/** Hosts before and after, a row each. */
export function HostChanges({ hosts }: { hosts: readonly HostChange[] }) {
  const columns = useMemo<Column<HostChange>[]>(
    () => [
      { title: 'Host', value: (host) => host.hostname, render: (host) => <HostLink hostname={host.hostname} /> },
      { title: 'In', value: (host) => host.instances_in, render: (host) => signed(host.instances_in, '+') },
      { title: 'Out', value: (host) => host.instances_out, render: (host) => signed(host.instances_out, '−') },
      numberColumn('Instances', 'instances', String),
      numberColumn('vCPUs', 'vcpus', String),
      numberColumn('Memory', 'memory', (mib) => `${(mib / 1024).toFixed(1)} GiB`),
      {
        title: 'Service',
        value: (host) => String(host.after?.enabled ?? ''),
        render: (host) => serviceText(host),
      },
    ],
    [],
  );
  return (
    <DataTable
      label="Hosts"
      name="hosts"
      rows={hosts}
      columns={columns}
      rowKey={(host) => host.hostname}
      perPage={10}
      empty={<Nothing title="No host is touched" />}
    />
  );
}

function signed(count: number, sign: string): string {
  return count === 0 ? '–' : `${sign}${count}`;
}

function numberColumn(
  title: string,
  field: 'instances' | 'vcpus' | 'memory',
  text: (value: number) => string,
): Column<HostChange> {
  return {
    title,
    value: (host) => (host.after?.[field] ?? 0) - (host.before?.[field] ?? 0),
    render: (host) => {
      if (!host.before || !host.after) return '–';
      const [before, after] = [host.before[field], host.after[field]];
      if (before === after) return text(before);
      return (
        <span>
          {text(before)} → <strong>{text(after)}</strong>
        </span>
      );
    },
  };
}

function serviceText({ before, after }: HostChange): string {
  if (!before || !after) return '–';
  const word = (enabled: boolean) => (enabled ? 'enabled' : 'disabled');
  return before.enabled === after.enabled ? word(after.enabled) : `${word(before.enabled)} → ${word(after.enabled)}`;
}
