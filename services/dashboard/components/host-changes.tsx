import { type ReactNode, useMemo } from 'react';
import type { HostBeforeAfter, HostUse, PlanHost } from '#libs/client';
import { text } from '../texts/texts.ts';
import { type Column, DataTable } from './data-table.tsx';
import { HostLink } from './links.tsx';
import { gibText } from './number-text.ts';
import { Nothing } from './states.tsx';

type Shown = Pick<PlanHost, 'hostname' | 'before' | 'after' | 'instances_in' | 'instances_out'> &
  Partial<Pick<PlanHost, 'so_far' | 'today'>>;

interface HostChangesProps {
  hosts: readonly Shown[];
  /** Number of instances whose destination Nova selects. Null if unknown. */
  unplaced: { instances: number } | null;
  /** Whether to show the progress of the plan and the current state of the hosts. Default false. */
  isPlan?: boolean;
}

/** Whether the plan changes this host. */
export function isTouched({ before, after, instances_in: into, instances_out: out }: HostBeforeAfter): boolean {
  return into + out > 0 || before.enabled !== after.enabled;
}

/** Hosts before and after, a row each. */
export function HostChanges({ hosts, unplaced, isPlan = false }: HostChangesProps) {
  const columns = useMemo<Column<Shown>[]>(
    () => [
      {
        title: text('column.host'),
        name: 'host',
        value: (host) => host.hostname,
        render: (host) => <HostLink hostname={host.hostname} />,
      },
      {
        title: text('changes.in'),
        name: 'in',
        isNumber: true,
        value: (host) => host.instances_in,
        render: (host) => signed(host.instances_in, '+'),
      },
      {
        title: text('changes.out'),
        name: 'out',
        isNumber: true,
        value: (host) => host.instances_out,
        render: (host) => signed(host.instances_out, '−'),
      },
      numberColumn(text('column.instances'), 'instances', String),
      numberColumn(text('column.vcpus'), 'vcpus', String),
      numberColumn(text('column.memory'), 'memory', gibText),
      {
        title: text('changes.service'),
        name: 'service',
        value: (host) => String(host.after?.enabled ?? ''),
        render: (host) => serviceText(host),
      },
      ...(isPlan
        ? [
            useColumn(text('changes.soFar'), 'so-far', (host) => host.so_far),
            useColumn(text('changes.today'), 'today', (host) => host.today),
          ]
        : []),
    ],
    [isPlan],
  );
  return (
    <>
      {unplaced !== null && unplaced.instances > 0 && (
        <p className="vigil-lead">{text('changes.unplaced', { count: unplaced.instances })}</p>
      )}
      <DataTable
        label={text('column.hosts')}
        name="hosts"
        rows={hosts}
        columns={columns}
        rowKey={(host) => host.hostname}
        perPage={10}
        empty={<Nothing title={text('changes.none')} />}
      />
    </>
  );
}

function signed(count: number, sign: string): ReactNode {
  return count === 0 ? '–' : <span data-literal>{`${sign}${count}`}</span>;
}

function numberColumn(
  title: string,
  field: 'instances' | 'vcpus' | 'memory',
  written: (value: number) => string,
): Column<Shown> {
  return {
    title,
    name: field,
    isNumber: true,
    value: (host) => (host.after?.[field] ?? 0) - (host.before?.[field] ?? 0),
    render: (host) => {
      if (!host.before || !host.after) return '–';
      const [before, after] = [host.before[field], host.after[field]];
      if (before === after) return written(before);
      return (
        <span>
          {written(before)} → <strong>{written(after)}</strong>
        </span>
      );
    },
  };
}

/** Column of a host's use at another time than before and after the plan. */
function useColumn(title: string, name: string, useOf: (host: Shown) => HostUse | null | undefined): Column<Shown> {
  return {
    title,
    name,
    value: (host) => useOf(host)?.instances ?? -1,
    render: (host) => {
      const use = useOf(host);
      if (!use) return '–';
      const held = text('changes.use', { count: use.instances, memory: gibText(use.memory) });
      return use.enabled ? held : `${held}, ${text('common.disabled')}`;
    },
  };
}

function serviceText({ before, after }: Shown): string {
  if (!before || !after) return '–';
  const word = (enabled: boolean) => text(enabled ? 'common.enabled' : 'common.disabled');
  return before.enabled === after.enabled ? word(after.enabled) : `${word(before.enabled)} → ${word(after.enabled)}`;
}
