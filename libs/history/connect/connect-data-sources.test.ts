import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { silentLogger as logger, OperatorError } from '#libs/domain';
import { connectDataSources, type DataSourceSettings } from './connect-data-sources.ts';
import { readMetricMap } from './read-metric-map.ts';

const clock = { now: () => 0 };
const keystone = { token: async () => 'token', endpoint: async () => 'http://cloud' };
const databaseUrl = 'postgres://vigil@127.0.0.1:5432/vigil';
const prometheus = { url: 'http://127.0.0.1:9090' };
const folder = mkdtempSync(join(tmpdir(), 'vigil-metric-map-'));
afterAll(() => rmSync(folder, { recursive: true }));

function connect(settings: Partial<DataSourceSettings>, withKeystone = true) {
  const all = { order: [], strategyOrders: [], databaseUrl, ...settings };
  return connectDataSources(all, { logger, clock, ...(withKeystone && { keystone }) });
}

function mapFile(text: string): { metricMapPath: string } {
  const metricMapPath = join(folder, `${process.hrtime.bigint()}.yaml`);
  writeFileSync(metricMapPath, text);
  return { metricMapPath };
}

describe('data sources', () => {
  it.each([
    [{}, 'postgres'],
    [{ prometheus }, 'prometheus'],
    [{ prometheus, influxUrl: 'http://127.0.0.1:8086/vigil' }, 'influxdb, prometheus'],
    [{ prometheus, order: ['postgres', 'prometheus'] }, 'postgres, prometheus'],
    [{ order: ['gnocchi', 'aetos', 'postgres'] }, 'gnocchi, aetos, postgres'],
  ])('%j is %s', async (settings, name) => {
    const sources = connect(settings);
    expect(sources.name).toBe(name);
    await sources.close();
  });

  it('have another order for a strategy', async () => {
    const strategyOrders = ['basic=prometheus', 'workload_balance = postgres | prometheus'];
    const sources = connect({ prometheus, order: ['postgres'], strategyOrders });

    expect(sources.forStrategy('basic').name).toBe('prometheus');
    expect(sources.forStrategy('workload_balance').name).toBe('postgres, prometheus');
    expect(sources.forStrategy('dummy').name).toBe('postgres');
    await sources.close();
  });

  it.each([
    [{ order: ['monasca'] }, /VIGIL_DATASOURCES: unknown data source monasca; known data sources: .*gnocchi, aetos/],
    [{ order: ['postgres', 'postgres'] }, /VIGIL_DATASOURCES: postgres is repeated/],
    [{ prometheus, order: ['prometheus', 'aetos'] }, /cannot be used together/],
    [{ order: ['prometheus'] }, /prometheus needs VIGIL_PROMETHEUS_URL/],
    [{ order: ['influxdb'] }, /influxdb needs VIGIL_INFLUX_URL/],
    [{ strategyOrders: ['basic'] }, /VIGIL_STRATEGY_DATASOURCES: "basic" must have the form/],
    [{ strategyOrders: ['basic=grafana'] }, /VIGIL_STRATEGY_DATASOURCES, basic: unknown data source grafana/],
    [{ prometheus: { ...prometheus, certPath: '/x' } }, /CERT_PATH and VIGIL_PROMETHEUS_KEY_PATH together/],
    [{ prometheus: { ...prometheus, caPath: '/nowhere' } }, /VIGIL_PROMETHEUS_CA_PATH: .*no such file/],
  ] as [Partial<DataSourceSettings>, RegExp][])('refuse %j', (settings, message) => {
    expect(() => connect(settings)).toThrow(OperatorError);
    expect(() => connect(settings)).toThrow(message);
  });

  it('need Keystone for Aetos, and for Gnocchi without a URL', () => {
    expect(() => connect({ order: ['aetos'] }, false)).toThrow(/aetos needs Keystone/);
    expect(() => connect({ order: ['gnocchi'] }, false)).toThrow(/gnocchi needs Keystone/);
    expect(() => connect({ order: ['gnocchi'], gnocchiUrl: 'http://admin@h:8041' }, false)).not.toThrow();
  });
});

describe('the metric map', () => {
  const order = ['prometheus', 'gnocchi', 'influxdb'];
  const influx = { influxUrl: 'http://127.0.0.1:8086/telegraf', influxLayout: 'telegraf' } as const;

  it('renames, changes, adds and removes metrics of each source', async () => {
    const map = mapFile(`
prometheus:
  instance_ram_usage: libvirt_rss
  host_power:
    metric: ipmi_power_watts
    resource_label: node
    labels: { sensor: total }
  host_ram_usage:
gnocchi:
  instance_cpu_usage: vcpu_time
influxdb:
  host_ram_usage: active
  instance_cpu_usage: { measurement: vm, field: util }
grafana:
  host_cpu_usage: { db: telegraf }
`);
    const sources = connect({ prometheus, order, ...influx, ...map });
    const names = Object.fromEntries(
      order.map((name) => [name, connect({ prometheus, order: [name], ...influx, ...map }).realNames?.()]),
    );

    expect(names.prometheus?.get('instance_ram_usage')).toBe('libvirt_rss');
    expect(names.prometheus?.get('host_power')).toBe('ipmi_power_watts');
    expect(names.prometheus?.has('host_ram_usage')).toBe(false);
    expect(names.prometheus?.get('host_cpu_usage')).toBe('node_cpu_seconds_total');
    expect(names.gnocchi?.get('instance_cpu_usage')).toBe('vcpu_time');
    expect(names.influxdb?.get('host_ram_usage')).toBe('mem/active');
    expect(names.influxdb?.get('instance_cpu_usage')).toBe('vm/util');
    expect(names.influxdb?.get('host_cpu_usage')).toBe('cpu/usage_idle');
    await sources.close();
  });

  it('accepts the fields of presets for a series, and refuses others', () => {
    const { metricMapPath } = mapFile(`
prometheus:
  instance_network_io:
    metric: vm_received_bytes_total
    plus: [vm_sent_bytes_total]
    except: { device: "lo|tap.*" }
    is_sum: true
    kind: counter
    join: { metric: vm_info, on: [domain, instance], label: uuid }
`);
    expect(readMetricMap(metricMapPath, logger).prometheus).toEqual({
      instance_network_io: {
        metric: 'vm_received_bytes_total',
        plus: ['vm_sent_bytes_total'],
        except: { device: 'lo|tap.*' },
        isSum: true,
        kind: 'counter',
        join: { metric: 'vm_info', on: ['domain', 'instance'], label: 'uuid' },
      },
    });
    const wrong = mapFile(
      'prometheus: { host_power: { plus: [], except: 3, is_sum: 1, join: { metric: m, on: [], label: l } } }',
    );
    for (const field of ['plus', 'except', 'is_sum', 'join'])
      expect(() => connect({ prometheus, ...wrong })).toThrow(new RegExp(`prometheus\\.host_power\\.${field} must`));
  });

  it('accepts the examples of the documentation', () => {
    const page = readFileSync(new URL('../../../docs/data-sources.md', import.meta.url), 'utf8');
    const example = /```yaml\n([^`]*)```/.exec(page)?.[1] ?? 'no: example';
    const names = connect({ prometheus, order: ['prometheus'], ...mapFile(example) }).realNames?.();

    expect(names?.get('instance_cpu_usage')).toBe('libvirt_domain_info_cpu_time_seconds_total');
  });

  it('may be JSON, or empty', () => {
    expect(() => connect({ prometheus, ...mapFile('{"prometheus": {"host_power": "watts"}}') })).not.toThrow();
    expect(() => connect({ prometheus, ...mapFile('') })).not.toThrow();
  });

  it('reports all its errors together', () => {
    const map = mapFile(`
prometheus:
  host_cpu: node_cpu
  host_power: { metric: "a b", scale: 0, unit: W, kind: rate }
  host_airflow: 3
influxdb: cpu
prometeus: {}
`);
    expect(() => connect({ prometheus, ...map })).toThrow(OperatorError);
    for (const fault of [
      /prometheus\.host_cpu: unknown metric host_cpu; known metrics: host_cpu_usage/,
      /prometheus\.host_power\.metric must be the name of a series/,
      /prometheus\.host_power\.scale must be a number other than 0/,
      /prometheus\.host_power\.unit is unknown; known fields: kind, scale/,
      /prometheus\.host_power\.kind must be gauge or counter/,
      /prometheus\.host_airflow must be a string, null or an object/,
      /influxdb must have metrics with their names/,
      /unknown data source prometeus/,
    ]) {
      expect(() => connect({ prometheus, ...map })).toThrow(fault);
    }
    expect(() => connect({ prometheus, ...mapFile('a: [') })).toThrow(/VIGIL_METRIC_MAP_PATH: .* cannot be read/);
    expect(() => connect({ prometheus, metricMapPath: '/nowhere' })).toThrow(/\/nowhere cannot be read/);
  });
});
