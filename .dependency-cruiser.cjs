/**
 * Import rules. The first rule that an import breaks is its error. `allowed` lists are in `libraryRules` and
 * `serviceRules`, a line a lib or service. `tests/tree/import-rules.test.ts` proves that the rules work.
 */
const libraryRules = {
  domain: [],
  cron: [],
  durations: ['domain'],
  forecast: [],
  http: [],
  'world-file': ['domain'],
  'random-worlds': ['openstack'],
  tracing: ['domain', 'http'],
  'cluster-model': ['domain', 'openstack'],
  postgres: ['domain', 'service-kit'],
  optimizer: ['domain'],
  'what-if': ['domain', 'cluster-model', 'optimizer'],
  messaging: ['domain', 'postgres', 'service-kit', 'tracing'],
  history: ['domain', 'http', 'postgres', 'service-kit'],
  openstack: ['domain', 'http', 'service-kit', 'tracing'],
  'plugin-kit': ['domain', 'durations', 'cluster-model', 'openstack', 'history', 'optimizer'],
  goals: ['domain', 'plugin-kit'],
  strategies: ['domain', 'plugin-kit', 'cluster-model', 'optimizer'],
  planners: ['domain', 'plugin-kit', 'cluster-model'],
  actions: ['domain', 'plugin-kit', 'openstack'],
  scoring: ['domain', 'plugin-kit'],
  store: ['domain', 'messaging', 'postgres', 'service-kit', 'tracing'],
  notifications: ['domain', 'store', 'service-kit'],
  'notification-targets': ['domain', 'service-kit'],
  tasks: ['cron', 'domain', 'store', 'service-kit'],
  'dynamic-properties': ['domain', 'service-kit'],
  processes: ['domain', 'store', 'messaging', 'service-kit'],
  'config-file': ['domain'],
  'service-kit': ['config-file', 'domain', 'tracing'],
  dependencies: ['domain', 'postgres', 'service-kit', 'store', 'messaging', 'openstack', 'history'],
  client: [],
};

const serviceRules = {
  api: [
    'cron',
    'durations',
    'domain',
    'actions',
    'dynamic-properties',
    'processes',
    'store',
    'messaging',
    'notification-targets',
    'openstack',
    'plugin-kit',
    'service-kit',
    'tracing',
    'tasks',
    'dependencies',
  ],
  'decision-engine': [
    'cron',
    'durations',
    'domain',
    'processes',
    'store',
    'messaging',
    'cluster-model',
    'forecast',
    'history',
    'openstack',
    'plugin-kit',
    'goals',
    'strategies',
    'planners',
    'actions',
    'scoring',
    'service-kit',
    'tracing',
    'dependencies',
    'world-file',
    'random-worlds',
    'what-if',
  ],
  applier: [
    'cron',
    'domain',
    'processes',
    'store',
    'messaging',
    'cluster-model',
    'notifications',
    'openstack',
    'plugin-kit',
    'actions',
    'service-kit',
    'tracing',
    'dependencies',
  ],
  coordinator: ['domain', 'actions', 'processes', 'store', 'messaging', 'service-kit', 'dependencies'],
  up: ['config-file', 'domain', 'openstack', 'processes', 'store', 'service-kit'],
  scheduler: [
    'domain',
    'processes',
    'messaging',
    'store',
    'history',
    'http',
    'notification-targets',
    'service-kit',
    'tasks',
    'dependencies',
  ],
  database: ['domain', 'openstack', 'store', 'service-kit'],
  status: [
    'domain',
    'store',
    'messaging',
    'openstack',
    'plugin-kit',
    'goals',
    'strategies',
    'planners',
    'actions',
    'scoring',
    'service-kit',
  ],
  config: ['config-file', 'domain', 'service-kit', 'dependencies'],
  keystone: ['domain', 'openstack', 'service-kit'],
  metrics: ['domain', 'history', 'openstack', 'plugin-kit', 'service-kit'],
  watch: ['domain', 'history', 'openstack', 'service-kit', 'dependencies'],
  simulator: ['domain', 'history', 'messaging', 'service-kit', 'world-file'],
  cli: ['client', 'domain'],
  dashboard: ['client', 'cron'],
  demo: ['domain', 'client', 'service-kit'],
};

/**
 * Packages with one home. A scope covers all its packages. Packages that are not listed are small and used anywhere.
 */
const homes = {
  typeorm: ['^libs/store/', '^migrations/'],
  pg: [
    '^libs/postgres/',
    '^libs/store/',
    '^libs/messaging/postgres/',
    '^libs/history/postgres/',
    '^libs/service-kit/embedded/',
    '^tests/',
  ],
  amqplib: ['^libs/messaging/amqp/', '^tests/'],
  '@influxdata/influxdb-client': ['^libs/history/influxdb/'],
  croner: ['^libs/cron/'],
  memjs: ['^libs/dynamic-properties/'],
  pino: ['^libs/service-kit/'],
  'prom-client': ['^libs/service-kit/'],
  'openapi-fetch': ['^libs/client/'],
  'eventsource-parser': ['^libs/client/'],
  'lru-cache': ['^libs/service-kit/'],
  fastify: ['^services/api/', '^services/simulator/'],
  '@fastify': ['^services/api/'],
  typebox: ['^services/api/'],
  rfc6902: ['^services/api/patch/'],
  react: ['^services/dashboard/'],
  'react-router': ['^services/dashboard/'],
  '@patternfly': ['^services/dashboard/'],
  '@tanstack': ['^services/dashboard/'],
  '@dagrejs': ['^services/dashboard/'],
  uplot: ['^services/dashboard/'],
  vite: ['^services/dashboard/vite.config.ts', '^services/dashboard/trim-styles.ts'],
  undici: ['^libs/http/', '^tests/', '^services/cli/'],
  piscina: ['^services/decision-engine/strategy-runner/'],
  commander: [
    '^services/cli/',
    '^services/api/policy-tool/',
    '^services/database/',
    '^services/decision-engine/catalogue-tool/',
    '^services/decision-engine/world-tool/',
    '^services/config/',
    '^services/doctor\\.ts$',
    '^services/metrics/',
    '^services/keystone/',
    '^services/up/down\\.ts$',
    '^services/status/',
    '^services/watch/',
    '^services/demo/',
  ],
  'cli-table3': ['^services/cli/', '^services/demo/', '^bench/', '^verify/'],
  'cli-progress': ['^services/cli/', '^services/demo/'],
};

// Tests, their helpers, and the contract suites beside their ports.
const notATest = '\\.test\\.ts$|/testing/';

function onlyMayImport(area, name, allowed) {
  const others = ['migrations/', ...(area === 'libs' ? ['services/'] : [])];
  const permitted = [`${area}/${name}/`, ...allowed.map((lib) => `libs/${lib}/`)];
  if (area === 'libs' && name === 'store') permitted.push('migrations/');
  // The schemas of all processes.
  if (area === 'services' && name === 'config') permitted.push('services/[^/]+/(env|checks)\\.ts$');
  const libraries = allowed.length > 0 ? `the libs ${allowed.join(', ')}` : 'no lib';
  return {
    name: `${area}-${name}-imports`,
    severity: 'error',
    comment:
      `${area}/${name} may import ${libraries}, and neither a service nor a lib above it. ` +
      `Instead: pass a value or a function as an argument, or move the shared code to a lib below both. ` +
      `If ${area}/${name} really stands above the other lib, add that to its list in .dependency-cruiser.cjs.`,
    from: { path: `^${area}/${name}/`, pathNot: notATest },
    to: {
      path: `^(libs|services|${others.map((other) => other.replace('/', '')).join('|')})/`,
      pathNot: `^(${permitted.join('|')})`,
    },
  };
}

function livesAt(name, folders) {
  return {
    name: `home-of-${name.replace(/[@/]/g, '-')}`,
    severity: 'error',
    comment:
      `The package ${name} is imported only below ` +
      `${folders.map((folder) => folder.replace(/[\^$\\]/g, '')).join(', ')}, ` +
      'so that it can be replaced in one place. Instead: use the exports of that folder, or extend them.',
    from: { path: '^(libs|services|migrations|bench|verify|tests)/', pathNot: [...folders, notATest] },
    to: { path: `(^|/)node_modules/${name}/` },
  };
}

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment:
        'Modules in a circle cannot be read, tested or loaded alone. Instead: move the part that both need to a ' +
        'third module, or pass it as an argument.',
      from: {},
      to: { circular: true },
    },
    ...Object.entries(libraryRules).map(([name, allowed]) => onlyMayImport('libs', name, allowed)),
    ...Object.entries(serviceRules).map(([name, allowed]) => onlyMayImport('services', name, allowed)),
    ...Object.entries(homes).map(([name, folders]) => livesAt(name, folders)),
    {
      name: 'libs-only-by-index',
      severity: 'error',
      comment:
        'The inside of a lib may change without its users. Instead: import #libs/<name>, or a named subpath with ' +
        'a separate index, and export there the part that you need.',
      from: { path: '^(libs|services|tests)/([^/]+)/' },
      to: { path: '^libs/', pathNot: ['^$1/$2/', '/index\\.ts$'] },
    },
    {
      name: 'internal-apart-from-public',
      severity: 'error',
      comment:
        'The public API must not depend on the surface that may change with every build. Instead: move the shared ' +
        'part out of services/api/internal, such as to services/api/views.',
      from: { path: '^services/api/(?!internal/|dashboard/)[^/]+/', pathNot: notATest },
      to: { path: '^services/api/internal/' },
    },
    {
      name: 'judge-of-its-own',
      severity: 'error',
      comment:
        'The judges of plans must not share the code that made them, or the simulated cloud. Instead: write the ' +
        'rule again, from the documentation of the service.',
      from: { path: '^(libs/random-worlds/|verify/worlds/cinder-)' },
      to: { path: '^(libs/(?!openstack/|random-worlds/)|services/)' },
    },
    {
      name: 'no-node-in-planning',
      severity: 'error',
      comment:
        'Strategies and the like are functions of their input: no files, network, clock or processes. Instead: ' +
        'take the value from the model, the history or the parameters.',
      from: { path: '^libs/(strategies|goals|planners|scoring)/', pathNot: notATest },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'testing-only-in-tests',
      severity: 'error',
      comment:
        'The product must run without its tests. Instead: move the helper to a lib, or the caller to a file named ' +
        '*.test.ts or a folder named testing.',
      from: { path: '^(libs|services|migrations)/', pathNot: notATest },
      to: { path: '^tests/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|examples)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['vigil-source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
