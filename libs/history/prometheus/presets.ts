import type { PrometheusPresetMapping as Preset } from './prometheus-metric.ts';

const percent = { scale: 100, least: 0, most: 100 } as const;
const mebi = 1 / (1024 * 1024);

/** Block devices on top of others, and network devices of guests and tunnels: their traffic is already counted. */
const realDisks = { device: 'dm-.*|md.*|loop.*|sr.*|rbd.*|nbd.*' };
const realNetworks = { device: 'lo|tap.*|qbr.*|qvo.*|qvb.*|veth.*|docker.*|br.*|ovs.*|vnet.*|virbr.*|genev.*|vxlan.*' };

/** Watcher's mapping of hosts, with additional pressure, disk and network. */
const nodeExporter: Preset = {
  host_cpu_usage: {
    metric: 'node_cpu_seconds_total',
    labels: { mode: 'idle' },
    kind: 'counter',
    scale: -100,
    offset: 100,
    least: 0,
    most: 100,
  },
  host_ram_usage: {
    metric: 'node_memory_MemAvailable_bytes',
    subtractFrom: 'node_memory_MemTotal_bytes',
    scale: 1 / 1024,
  },
  // Seconds in which a task waited for a CPU.
  host_cpu_pressure: { metric: 'node_pressure_cpu_waiting_seconds_total', kind: 'counter', ...percent },
  host_disk_io: {
    metric: 'node_disk_read_bytes_total',
    plus: ['node_disk_written_bytes_total'],
    except: realDisks,
    kind: 'counter',
    isSum: true,
  },
  host_network_io: {
    metric: 'node_network_receive_bytes_total',
    plus: ['node_network_transmit_bytes_total'],
    except: realNetworks,
    kind: 'counter',
    isSum: true,
  },
};

/** Watcher's mapping of instances: the series that Ceilometer sends to Prometheus. */
const ceilometer: Preset = {
  instance_cpu_usage: {
    metric: 'ceilometer_cpu',
    kind: 'counter',
    // Nanoseconds per second to percent of one CPU.
    scale: 100 / 1e9,
    perVcpu: true,
    least: 0,
    most: 100,
  },
  instance_ram_usage: { metric: 'ceilometer_memory_usage' },
  instance_ram_allocated: { metric: 'ceilometer_memory' },
  instance_root_disk_size: { metric: 'ceilometer_disk_root_size' },
};

/** Series of libvirt exporters have the name of the domain. Another series has the uuid of the instance as a label. */
function libvirtExporter(join: { metric: string; label: string }): Preset {
  const ofDomain = { join: { ...join, on: ['domain', 'instance'] } };
  const counter = { ...ofDomain, kind: 'counter' as const };
  return {
    instance_cpu_usage: { ...counter, ...percent, metric: 'libvirt_domain_info_cpu_time_seconds_total', perVcpu: true },
    instance_ram_usage: { ...ofDomain, metric: 'libvirt_domain_memory_stats_rss_bytes', scale: mebi },
    instance_ram_allocated: { ...ofDomain, metric: 'libvirt_domain_info_maximum_memory_bytes', scale: mebi },
    // Seconds for which each virtual CPU waited for a physical one.
    instance_cpu_steal: {
      ...counter,
      ...percent,
      metric: 'libvirt_domain_vcpu_delay_seconds_total',
      isSum: true,
      perVcpu: true,
    },
    instance_disk_io: {
      ...counter,
      metric: 'libvirt_domain_block_stats_read_bytes_total',
      plus: ['libvirt_domain_block_stats_write_bytes_total'],
      isSum: true,
    },
    instance_network_io: {
      ...counter,
      metric: 'libvirt_domain_interface_stats_receive_bytes_total',
      plus: ['libvirt_domain_interface_stats_transmit_bytes_total'],
      isSum: true,
    },
  };
}

/** Mappings by the exporter of the series, with the names of `VIGIL_PROMETHEUS_PRESETS`. */
export const prometheusPresets = {
  'node-exporter': nodeExporter,
  ceilometer,
  'libvirt-exporter': libvirtExporter({ metric: 'libvirt_domain_info_meta', label: 'uuid' }),
  'libvirt-exporter-openstack': libvirtExporter({ metric: 'libvirt_domain_openstack_info', label: 'instance_id' }),
} satisfies Record<string, Preset>;

export type PrometheusPreset = keyof typeof prometheusPresets;
/** The names of all presets. */
export const prometheusPresetNames = Object.keys(prometheusPresets) as PrometheusPreset[];

/** The presets of Watcher. */
export const usualPresets: readonly PrometheusPreset[] = ['node-exporter', 'ceilometer'];

/** Combines several presets. The last one with a metric has precedence. */
export function mergePresets(names: readonly PrometheusPreset[]): Preset {
  return Object.assign({}, ...names.map((name) => prometheusPresets[name])) as Preset;
}
