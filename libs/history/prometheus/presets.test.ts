// @needs prometheus
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Clock, silentLogger as logger, type MetricAggregate, type MetricName } from '#libs/domain';
import { testServerUrl } from '#tests';
import { writeToPrometheus } from '../testing/index.ts';
import { type PrometheusPreset, prometheusPresetNames } from './presets.ts';
import { createPrometheusHistory } from './prometheus-history.ts';

const nowMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;
const clock: Clock = { now: () => nowMs };
const host = `host-${randomUUID()}`;
const uuid = randomUUID();
const other = randomUUID();

/** Text exposition in the format of node exporter. One of two CPUs is half busy. */
const nodeText = `
# TYPE node_cpu_seconds_total counter
node_cpu_seconds_total{cpu="0",mode="idle"} 1000
node_cpu_seconds_total{cpu="0",mode="user"} 50
node_cpu_seconds_total{cpu="1",mode="idle"} 1000
node_memory_MemAvailable_bytes 1.6e+10
node_memory_MemTotal_bytes 6.4e+10
node_pressure_cpu_waiting_seconds_total 12
node_disk_read_bytes_total{device="sda"} 100
node_disk_written_bytes_total{device="sda"} 100
node_disk_read_bytes_total{device="sdb"} 100
node_disk_written_bytes_total{device="sdb"} 100
node_disk_read_bytes_total{device="dm-0"} 100
node_disk_written_bytes_total{device="dm-0"} 100
node_network_receive_bytes_total{device="eno1"} 5
node_network_transmit_bytes_total{device="eno1"} 5
node_network_receive_bytes_total{device="tapab672ce4-11"} 5
node_network_transmit_bytes_total{device="tapab672ce4-11"} 5
`;

/** The format of the libvirt exporters: values by domain, identities in a separate series. */
const libvirtText = (domain: string, id: string) => `
libvirt_domain_info_meta{domain="${domain}",flavor="m1.small",instance_name="web",project_name="admin",uuid="${id}"} 1
libvirt_domain_openstack_info{domain="${domain}",flavor_name="m1.small",instance_id="${id}",instance_name="web"} 1
libvirt_domain_info_cpu_time_seconds_total{domain="${domain}"} 965.22
libvirt_domain_info_maximum_memory_bytes{domain="${domain}"} 1.073741824e+09
libvirt_domain_memory_stats_rss_bytes{domain="${domain}"} 5.36870912e+08
libvirt_domain_vcpu_delay_seconds_total{domain="${domain}",vcpu="0"} 3
libvirt_domain_vcpu_delay_seconds_total{domain="${domain}",vcpu="1"} 3
libvirt_domain_block_stats_read_bytes_total{domain="${domain}",target_device="vda"} 2.0077568e+07
libvirt_domain_block_stats_write_bytes_total{domain="${domain}",target_device="vda"} 1.2453888e+07
libvirt_domain_block_stats_read_bytes_total{domain="${domain}",target_device="vdb"} 0
libvirt_domain_block_stats_write_bytes_total{domain="${domain}",target_device="vdb"} 0
libvirt_domain_interface_stats_receive_bytes_total{domain="${domain}",target_device="tapc82feb09-83"} 9991
libvirt_domain_interface_stats_transmit_bytes_total{domain="${domain}",target_device="tapc82feb09-83"} 10529
`;

const ceilometerText = `
ceilometer_cpu{resource="${uuid}"} 15000000000
ceilometer_memory_usage{resource="${uuid}"} 700
ceilometer_memory{resource="${uuid}"} 1024
ceilometer_disk_root_size{resource="${uuid}"} 20
`;

/** Growth of counters per second, by the prefix of their series. */
const growth: readonly [prefix: string, perSecond: number][] = [
  ['node_cpu_seconds_total{cpu="0",mode="idle"', 0.5],
  ['node_cpu_seconds_total{cpu="1",mode="idle"', 1],
  ['node_pressure_cpu_waiting', 0.1],
  ['node_disk_', 1000],
  ['node_network_', 300],
  ['libvirt_domain_info_cpu_time', 1.5],
  ['libvirt_domain_vcpu_delay', 0.2],
  ['libvirt_domain_block_stats', 500],
  ['libvirt_domain_interface_stats', 40],
  ['ceilometer_cpu', 1.2e9],
];

/** Twenty minutes of scrapes of a target, every 15 s, starting with `text`. */
function scraped(text: string, target: Record<string, string>): Parameters<typeof writeToPrometheus>[1][number][] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', first = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const [, perSecond = 0] = growth.find(([prefix]) => line.startsWith(prefix)) ?? [];
      const own = Object.fromEntries(
        [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
      );
      const samples = Array.from({ length: 81 }, (_, index) => ({
        at: nowMs - (80 - index) * 15_000,
        value: Number(first) + perSecond * index * 15,
      }));
      return { name, labels: { ...own, ...target }, samples };
    });
}

beforeAll(async () => {
  const instance = `${host}:9177`;
  await writeToPrometheus(testServerUrl('prometheus'), [
    ...scraped(nodeText, { instance: `${host}:9100`, fqdn: host }),
    ...scraped(libvirtText('instance-00000001', uuid), { instance }),
    // The same domain name on another host is another instance.
    ...scraped(libvirtText('instance-00000001', other), { instance: `other-${instance}` }),
    ...scraped(ceilometerText, { instance: 'sg-core' }),
  ]);
});

const read = async (presets: PrometheusPreset[], metric: MetricName, aggregate: MetricAggregate = 'mean') => {
  const history = createPrometheusHistory({ url: testServerUrl('prometheus'), presets, logger, clock });
  try {
    const vcpus = new Map([
      [uuid, 2],
      [other, 2],
    ]);
    const values = await history.aggregate({ metric, aggregate, periodSeconds: 600, vcpus });
    return values.get(metric.startsWith('host') ? host : uuid);
  } finally {
    await history.close();
  }
};

describe.each(['libvirt-exporter', 'libvirt-exporter-openstack'] as const)('preset %s', (preset) => {
  it.each([
    ['instance_cpu_usage', 75],
    ['instance_ram_usage', 512],
    ['instance_ram_allocated', 1024],
    ['instance_cpu_steal', 20],
    ['instance_disk_io', 2000],
    ['instance_network_io', 80],
  ] as const)('%s', async (metric, value) => {
    expect(await read([preset], metric)).toBeCloseTo(value, 3);
  });

  it('also has other aggregates and series of one instance', async () => {
    expect(await read([preset], 'instance_cpu_usage', 'max')).toBeCloseTo(75, 3);
    expect(await read([preset], 'instance_cpu_usage', 'trend')).toBeCloseTo(0, 3);
    expect(await read([preset], 'instance_ram_usage', 'p95')).toBeCloseTo(512, 3);
    expect(await read([preset], 'instance_ram_usage', 'count')).toBe(40);
    const history = createPrometheusHistory({ url: testServerUrl('prometheus'), presets: [preset], logger, clock });
    const series = await history.series({
      metric: 'instance_cpu_usage',
      resource: uuid,
      startMs: nowMs - 600_000,
      endMs: nowMs,
      stepSeconds: 300,
      vcpus: 2,
    });
    await history.close();
    expect(series.map(({ value }) => Math.round(value))).toEqual([75, 75]);
  });
});

it.each([
  ['host_cpu_usage', 25],
  ['host_ram_usage', 4.8e10 / 1024],
  ['host_cpu_pressure', 10],
  ['host_disk_io', 4000],
  ['host_network_io', 600],
] as const)('preset node-exporter: %s', async (metric, value) => {
  expect(await read(['node-exporter'], metric)).toBeCloseTo(value, 3);
});

it.each([
  ['instance_cpu_usage', 60],
  ['instance_ram_usage', 700],
  ['instance_ram_allocated', 1024],
  ['instance_root_disk_size', 20],
] as const)('preset ceilometer: %s', async (metric, value) => {
  expect(await read(['ceilometer'], metric)).toBeCloseTo(value, 3);
});

it('the last of several presets has precedence, and other presets do not apply', async () => {
  expect(await read(['ceilometer', 'libvirt-exporter'], 'instance_cpu_usage')).toBeCloseTo(75, 3);
  expect(await read(['libvirt-exporter', 'ceilometer'], 'instance_cpu_usage')).toBeCloseTo(60, 3);
  await expect(read(['ceilometer'], 'host_cpu_usage')).rejects.toThrow('host_cpu_usage is not mapped');
  expect(prometheusPresetNames).toHaveLength(4);
});
