import type { ClusterHost } from '../../api/cluster-types.ts';
import type { Column } from '../../components/data-table.tsx';
import { HostLink } from '../../components/links.tsx';
import { roundedText, wholePercent } from '../../components/number-text.ts';
import { StateLabel } from '../../components/state-label.tsx';
import { UseBar } from '../../components/use-bar.tsx';
import { text } from '../../texts/texts.ts';

/** Columns of the table of hosts. */
export function hostColumns(): Column<ClusterHost>[] {
  return [
    {
      title: text('column.host'),
      name: 'host',
      isWhole: true,
      value: (host) => host.hostname,
      render: (host) => <HostLink hostname={host.hostname} />,
    },
    {
      title: text('column.state'),
      name: 'state',
      value: (host) => `${host.state} ${host.status}`,
      render: (host) => <StateLabel state={host.status === 'disabled' ? 'disabled' : host.state} />,
    },
    { title: text('column.zone'), name: 'zone', value: (host) => host.zone },
    {
      title: text('column.instances'),
      name: 'instances',
      value: (host) => host.instances,
    },
    loadColumn('cpu_load'),
    loadColumn('memory_load'),
    {
      title: text('column.vcpus'),
      name: 'vcpus',
      value: ({ vcpus }) => vcpus.used / Math.max(1, vcpus.capacity),
      render: ({ vcpus }) => (
        <UseBar
          value={vcpus.used}
          max={vcpus.capacity}
          text={`${roundedText(vcpus.used)} / ${roundedText(vcpus.capacity)}`}
        />
      ),
    },
    {
      title: text('column.memory'),
      name: 'memory',
      value: ({ memory }) => memory.used / Math.max(1, memory.capacity),
      render: ({ memory }) => (
        <UseBar
          value={memory.used}
          max={memory.capacity}
          text={`${roundedText(memory.used / 1024)} / ${roundedText(memory.capacity / 1024)} GiB`}
        />
      ),
    },
  ];
}

function loadColumn(measure: 'cpu_load' | 'memory_load'): Column<ClusterHost> {
  return {
    title: text(`cluster.measure.${measure}`),
    name: measure === 'cpu_load' ? 'cpu-load' : 'memory-load',
    value: (host) => host[measure] ?? -1,
    render: ({ [measure]: load }) => <UseBar value={load} max={100} text={load === null ? '–' : wholePercent(load)} />,
  };
}
