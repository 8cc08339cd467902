// @needs prometheus, promtool, alertmanager
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '#libs/service-kit';
import { testServerUrl } from '../servers/test-server-url.ts';

interface Dashboard {
  uid: string;
  panels: { id: number; title: string; gridPos: object; targets: { expr: string }[] }[];
}
interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string; action: string } }[] }[];
}

const folder = 'deploy/prometheus';
const rules = (parse(readFileSync(`${folder}/vigil-alerts.yaml`, 'utf8')) as Rules).groups.flatMap(
  (group) => group.rules,
);
const dashboard = JSON.parse(readFileSync('deploy/grafana/vigil.json', 'utf8')) as Dashboard;
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];

/** Metrics of the processes with their labels, from the page that is generated from the code. */
const metrics = new Map(
  [...readFileSync('docs/metrics.md', 'utf8').matchAll(/^\| `(vigil_\w+)` \| (\w+) \| ([^|]*) \|/gm)].map(
    ([, name = '', type = '', labels = '']) => [
      name,
      { type, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label) },
    ],
  ),
);
/** Labels that Prometheus and the processes add to every series. */
const everywhere = ['service', 'instance', 'job', 'le'];

function metricOf(series: string): { labels: string[] } | undefined {
  const found = metrics.get(series);
  if (found) return found;
  const histogram = metrics.get(series.replace(/_(bucket|sum|count)$/, ''));
  return histogram?.type === 'histogram' ? histogram : undefined;
}

describe('alert rules', () => {
  test.each(['vigil-alerts-test.yaml', 'vigil-cloud-alerts-test.yaml'])(
    'pass the unit tests in %s, by promtool',
    async (file) => {
      const run = promisify(execFile)(testServerUrl('promtool'), ['test', 'rules', file], { cwd: folder });
      expect((await run).stdout).toContain('SUCCESS');
    },
  );

  test('of the cloud are routed to the receiver of their audit, by amtool', async () => {
    const amtool = (...args: string[]) =>
      promisify(execFile)(join(dirname(testServerUrl('alertmanager')), 'amtool'), args, { cwd: folder });
    const file = 'alertmanager-vigil.yaml';
    expect((await amtool('check-config', file)).stdout).toContain('SUCCESS');
    const routed = (label: string) => amtool('config', 'routes', 'test', `--config.file=${file}`, label);
    expect((await routed('vigil_audit=on-alert')).stdout.trim()).toBe('vigil-on-alert');
    expect((await routed('alertname=Other')).stdout.trim()).toBe('nobody');
  });

  test('each has a unit test, and names the remedy', () => {
    const tests = readFileSync(`${folder}/vigil-alerts-test.yaml`, 'utf8');
    for (const { alert, annotations } of rules) {
      expect(tests).toContain(`alertname: ${alert}`);
      expect(annotations.action, alert).toMatch(/\w/);
    }
  });
});

describe('the names of metrics', () => {
  test('are as Prometheus wants them, by promtool, also those of Node.js', async () => {
    const registry = createMetrics('test');
    for (const [name, { type, labels }] of metrics) {
      const values = Object.fromEntries(labels.map((label) => [label, 'x']));
      if (type === 'counter') registry.counter(name, 'help', labels).inc(values);
      else if (type === 'gauge') registry.gauge(name, 'help', labels).set(values, 1);
      else registry.histogram(name, 'help', labels).observe(values, 1);
    }
    const { body } = await registry.expose();
    const { status, stdout, stderr } = spawnSync(testServerUrl('promtool'), ['check', 'metrics'], {
      input: body,
      encoding: 'utf8',
    });
    expect({ status, found: `${stdout}${stderr}` }).toEqual({ status: 0, found: '' });
    expect(body.match(/^# TYPE vigil_/gm)).toHaveLength(metrics.size);
  });

  test('have base units, and are those of separate families without their suffix', () => {
    const families = [...metrics].map(([name, { type }]) => (type === 'counter' ? name.replace(/_total$/, '') : name));
    expect(new Set(families).size).toBe(families.length);
    const histograms = [...metrics].filter(([, { type }]) => type === 'histogram').map(([name]) => name);
    expect(histograms.filter((name) => !/_(seconds|bytes)$/.test(name))).toEqual([]);
  });
});

test('the dashboard has separate panels, and a variable for the data source', () => {
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  expect(new Set(dashboard.panels.map(({ gridPos }) => JSON.stringify(gridPos))).size).toBe(dashboard.panels.length);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is a variable of Grafana
  expect(JSON.stringify(dashboard)).toContain('"uid":"${datasource}"');
});

test.each(expressions)('%s uses existing metrics with their labels', (expression) => {
  const series = [...expression.matchAll(/\bvigil_\w+/g)].map(([name]) => name);
  for (const name of series) expect(metricOf(name), name).toBeDefined();
  const known = [...series.flatMap((name) => metricOf(name)?.labels ?? []), ...everywhere];
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
  const selected = [...expression.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label);
  expect(known).toEqual(expect.arrayContaining([...grouped, ...selected]));
});

test('Prometheus understands every expression', async () => {
  for (const expression of expressions) {
    const url = `${testServerUrl('prometheus')}/api/v1/query?query=${encodeURIComponent(expression)}`;
    const response = await fetch(url, { signal: AbortSignal.timeout(20_000) });
    expect([response.status, expression]).toEqual([200, expression]);
  }
});
