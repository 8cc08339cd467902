import { insertion } from './insertion.mjs';

/** A source of metrics: its reader, its settings, and its place among the sources. */
export const dataSource = {
  form: /^[a-z][a-z0-9]*$/,
  files: ({ name, pascal, words }) => ({
    [`libs/history/${name}/${name}-history.ts`]: `import type { MetricName } from '#libs/domain';
import { type HistoryReader, HistoryRefusedError } from '../history-port.ts';
import { parseHttpTarget } from '../http/http-target.ts';
import { createJsonHttp, itemsOf, objectOf, textOf } from '../http/json-http.ts';
import { type HistoryMetrics, observedCall } from '../observed-call.ts';

/** Where a ${words} is. */
export interface ${pascal}HistoryOptions {
  /** \`VIGIL_${name.toUpperCase()}_URL\`: \`http(s)://[user[:password]@]host[:port][/prefix]\`. */
  url: string;
  metrics?: HistoryMetrics;
  /** Time limit of one request in milliseconds. Default 10000. */
  timeoutMs?: number;
}

/** TODO: its names of the metrics. */
const realNames: ReadonlyMap<MetricName, string> = new Map();

/** History in ${words}. Throws OperatorError when the URL is unusable. */
export function create${pascal}History({ url, metrics, timeoutMs = 10_000 }: ${pascal}HistoryOptions): HistoryReader {
  const target = parseHttpTarget(url, 'VIGIL_${name.toUpperCase()}_URL');
  const label = \`${name} \${target.label}\`;
  const headers: Record<string, string> = {};
  if (target.authorization !== undefined) headers.authorization = target.authorization;
  const http = createJsonHttp({ source: label, timeoutMs, describeFault: (body) => textOf(objectOf(body)?.error) });

  function query(operation: string, path: string, parameters: [string, string][]): Promise<unknown> {
    const request = { url: \`\${target.base}\${path}\`, query: parameters, headers };
    return observedCall(metrics, '${name}', operation, () => http.request(request));
  }

  function nameOf(metric: MetricName): string {
    const found = realNames.get(metric);
    if (found !== undefined) return found;
    throw new HistoryRefusedError(label, \`\${metric} is not mapped\`);
  }

  return {
    name: '${name}',
    async aggregate({ metric, aggregate, periodSeconds }) {
      const rows = itemsOf(
        await query('aggregate', '/TODO', [
          ['metric', nameOf(metric)],
          ['aggregate', aggregate],
          ['seconds', String(periodSeconds)],
        ]),
      ).map(objectOf);
      return new Map(rows.map((row) => [textOf(row?.resource), Number(row?.value)]));
    },
    async series({ metric, resource, startMs, endMs, stepSeconds }) {
      const rows = itemsOf(
        await query('series', '/TODO', [
          ['metric', nameOf(metric)],
          ['resource', resource],
          ...Object.entries({ startMs, endMs, stepSeconds }).map(([key, value]): [string, string] => [key, \`\${value}\`]),
        ]),
      ).map(objectOf);
      return rows.map((row) => ({ at: Number(row?.at), value: Number(row?.value) }));
    },
    async listMetrics() {
      const present = itemsOf(await query('listMetrics', '/TODO', [])).map(textOf);
      return [...realNames].flatMap(([metric, realName]) => (present.includes(realName) ? [metric] : []));
    },
    realNames: () => realNames,
    probe: async () => {
      await query('probe', '/TODO', []);
    },
    close: () => http.close(),
  };
}
`,
  }),
  lists: ({ name, camel, pascal, words }) => [
    {
      ...insertion(
        'libs/history/connect/connect-data-sources.ts',
        '\n  const openers: Record<DataSourceName, () => HistoryReader> = {\n',
        `    ${name}: () =>
      create${pascal}History({ url: required('${name}', 'VIGIL_${name.toUpperCase()}_URL', settings.${camel}Url), ...common }),
`,
      ),
      importLine: `import { create${pascal}History } from '../${name}/${name}-history.ts';`,
    },
    insertion(
      'libs/history/connect/connect-data-sources.ts',
      '\nexport interface DataSourceSettings {\n',
      `  /** \`VIGIL_${name.toUpperCase()}_URL\`. */
  ${camel}Url?: string;
`,
    ),
    insertion(
      'libs/history/connect/connect-data-sources.ts',
      '\n  const urls: Record<(typeof defaultDataSources)[number], string | undefined> = {\n',
      `    ${name}: settings.${camel}Url,
`,
    ),
    insertion('libs/history/data-source-names.ts', '\nexport const dataSourceNames = [', `'${name}', `),
    insertion(
      'libs/history/data-source-names.ts',
      "\nexport const defaultDataSources = ['influxdb', 'prometheus', 'gnocchi'",
      `, '${name}'`,
    ),
    {
      ...insertion(
        'libs/history/testing/contract-stores.ts',
        '\nexport const stores: Store[] = [\n',
        `  { store: '${words}', open: open${pascal} },
`,
      ),
      importLine: `import { create${pascal}History } from '../${name}/${name}-history.ts';`,
    },
    insertion(
      'libs/history/testing/contract-stores.ts',
      'open: openLiveInflux2 }] : []),\n];\n',
      `
/** TODO: the URL of its server, and its protocol for writes. */
async function open${pascal}(): Promise<Opened> {
  const reader = create${pascal}History({ url: 'http://127.0.0.1:1' });
  const write = () => Promise.reject(new Error('TODO: writes samples'));
  return { history: { ...reader, write }, close: () => reader.close() };
}
`,
    ),
    insertion(
      'libs/history/connect/data-sources-env.ts',
      '\nexport const dataSourcesEnv = {\n',
      `  VIGIL_${name.toUpperCase()}_URL: url({
    schemes: ['http:', 'https:'],
    secret: true,
    description: '${words} with the cluster history: \`http://user:password@host/prefix\`.',
  }),
`,
    ),
    insertion(
      'libs/history/connect/data-sources-env.ts',
      '\n  return {\n',
      `    ${camel}Url: env.VIGIL_${name.toUpperCase()}_URL,
`,
    ),
  ],
  left: ({ name }) => [
    `libs/history/${name}/${name}-history.ts: its requests and the names of its metrics, by the contract in libs/history/history-port.ts`,
    'libs/history/testing/contract-stores.ts: its server for the contract; a real one where there is one (tests/servers)',
    'libs/history/data-source-names.ts: its place in the default order, now the last',
    'libs/history/connect/metric-map-rules.ts and read-metric-map.ts: its section of the metric map, when it has one',
    'docs/data-sources.md: its row and names; npm run docs, which writes docs/configuration.md; a line in CHANGELOG.md',
    `npx vitest run libs/history/connect tests/tree/data-sources.test.ts libs/history/history-contract.db.test.ts libs/history/same-results.db.test.ts`,
  ],
};
