import { type ReactNode, useMemo } from 'react';
import type { HostBeforeAfter, HostUse, PlanHost } from '#libs/client';
import { type Column, DataTable } from './data-table.tsx';
import { HostLink } from './links.tsx';
import { Nothing } from './states.tsx';

type Shown = Pick<PlanHost, 'hostname' | 'before' | 'after' | 'instances_in' | 'instances_out'> &
  Partial<Pick<PlanHost, 'so_far' | 'today'>>;

interface HostChangesProps {
  hosts: readonly Shown[];
  /** Instances whose destination Nova chooses; null when that is not known. */
  unplaced: { instances: number } | null;
  /** Whether to tell what the plan has come to so far and what the hosts hold today; default no. */
  isPlan?: boolean;
}

/** Whether anything of the plan is about this host. */
export function isTouched({ before, after, instances_in: into, instances_out: out }: HostBeforeAfter): boolean {
  return into + out > 0 || before.enabled !== after.enabled;
}

/** Hosts before and after, a row each. */
export function HostChanges({ hosts, unplaced, isPlan = false }: HostChangesProps) {
  const columns = useMemo<Column<Shown>[]>(
    () => [
      { title: 'Host', value: (host) => host.hostname, render: (host) => <HostLink hostname={host.hostname} /> },
      { title: 'In', value: (host) => host.instances_in, render: (host) => signed(host.instances_in, '+') },
      { title: 'Out', value: (host) => host.instances_out, render: (host) => signed(host.instances_out, '−') },
      numberColumn('Instances', 'instances', String),
      numberColumn('vCPUs', 'vcpus', String),
      numberColumn('Memory', 'memory', gibText),
      {
        title: 'Service',
        value: (host) => String(host.after?.enabled ?? ''),
        render: (host) => serviceText(host),
      },
      ...(isPlan ? [useColumn('So far', (host) => host.so_far), useColumn('Today', (host) => host.today)] : []),
    ],
    [isPlan],
  );
  return (
    <>
      {unplaced !== null && unplaced.instances > 0 && (
        <p className="vigil-lead">
          Nova chooses where {unplaced.instances} {unplaced.instances === 1 ? 'instance goes' : 'instances go'}: they
          leave their hosts below and are added to none.
        </p>
      )}
      <DataTable
        label="Hosts"
        name="hosts"
        rows={hosts}
        columns={columns}
        rowKey={(host) => host.hostname}
        perPage={10}
        empty={<Nothing title="No host is touched" />}
      />
    </>
  );
}

function signed(count: number, sign: string): ReactNode {
  return count === 0 ? '–' : <span data-literal>{`${sign}${count}`}</span>;
}

function gibText(mib: number): string {
  return `${(mib / 1024).toFixed(1)} GiB`;
}

function numberColumn(
  title: string,
  field: 'instances' | 'vcpus' | 'memory',
  text: (value: number) => string,
): Column<Shown> {
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

/** What lies on the host at another moment than before and after the plan. */
function useColumn(title: string, useOf: (host: Shown) => HostUse | null | undefined): Column<Shown> {
  return {
    title,
    value: (host) => useOf(host)?.instances ?? -1,
    render: (host) => {
      const use = useOf(host);
      if (!use) return '–';
      const noun = use.instances === 1 ? 'instance' : 'instances';
      return `${use.instances} ${noun}, ${gibText(use.memory)}${use.enabled ? '' : ', disabled'}`;
    },
  };
}

function serviceText({ before, after }: Shown): string {
  if (!before || !after) return '–';
  const word = (enabled: boolean) => (enabled ? 'enabled' : 'disabled');
  return before.enabled === after.enabled ? word(after.enabled) : `${word(before.enabled)} → ${word(after.enabled)}`;
}
