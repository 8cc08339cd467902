import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { watchTargets } from '#libs/dependencies';
import { createMetrics, createReadiness, startHealthServer } from '#libs/service-kit';

/** Entry of the deployment files for one process: its command, its environment, and its health probes. */
interface Started {
  /** Such as `Kubernetes vigil-api`. */
  where: string;
  command: string[];
  env: Record<string, string>;
  /** Addresses of the probes, each as `port/path`. */
  asked: string[];
}

interface Container {
  args: string[];
  envFrom: unknown[];
  env?: { name: string; value?: string }[];
  ports?: { containerPort: number }[];
  readinessProbe?: object;
  livenessProbe?: object;
}
interface Pod {
  securityContext: object;
  initContainers?: Container[];
  containers: [Container];
}
interface KubernetesObject {
  kind: string;
  metadata: { name: string };
  data: Record<string, string>;
  spec: {
    selector: Record<string, unknown>;
    ports: { targetPort: number }[];
    template: { metadata: { labels: Record<string, string> }; spec: Pod };
  };
}
interface ComposeService {
  build?: string;
  command: string[];
  environment: Record<string, string>;
  ports?: string[];
  healthcheck?: { test: string[] };
}

const read = (path: string) => readFileSync(path, 'utf8');
const objects = parseAllDocuments(read('deploy/kubernetes/vigil.yaml')).map((one) => one.toJS() as KubernetesObject);
const composed = (parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, ComposeService> })
  .services;
const dockerfile = read('Dockerfile');
const program = read('services/run-vigil.ts');
const ports = { VIGIL_PORT: '9322' };
/** Keys of the secret of Kubernetes, as deploy/README.md says. */
const secret = { VIGIL_DATABASE_URL: '', VIGIL_AMQP_URL: '', OS_PASSWORD: '' };

function requestedBy(container: Container): string[] {
  const probes = [container.readinessProbe, container.livenessProbe].filter((probe) => probe !== undefined);
  return probes.flatMap((probe) => addressesIn(JSON.stringify(probe)));
}

function addressesIn(text: string): string[] {
  const [, path, port] = /"httpGet":\{"path":"([^"]*)","port":(\d+)/.exec(text) ?? [];
  return path === undefined ? [] : [`${port}${path}`];
}

const shared = objects.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
const pods = objects.filter(({ spec }) => spec?.template !== undefined);
const started: Started[] = [
  ...pods.flatMap(({ metadata, spec: { template } }) =>
    [...(template.spec.initContainers ?? []), ...template.spec.containers].map((container) => ({
      where: `Kubernetes ${metadata.name}`,
      command: container.args,
      env: {
        ...shared,
        ...secret,
        ...Object.fromEntries((container.env ?? []).map(({ name, value = '' }) => [name, value])),
      },
      asked: requestedBy(container),
    })),
  ),
  ...Object.entries(composed)
    .filter(([, { build }]) => build !== undefined)
    .map(([name, { command, environment }]) => ({
      ...{ where: `compose ${name}`, command, env: environment },
      asked: [],
    })),
  ...readdirSync('deploy/systemd').flatMap((unit) =>
    [...read(`deploy/systemd/${unit}`).matchAll(/^Exec\w+=\/usr\/bin\/(vigil .*)$/gm)].map(([, line]) => ({
      where: `systemd ${unit}`,
      command: (line ?? '').split(' '),
      env: Object.fromEntries([...read('deploy/vigil.env').matchAll(/^(\w+)=/gm)].map(([, key]) => [key, ''])),
      asked: [],
    })),
  ),
];
const cases = started.map((one): [string, Started] => [`${one.where}: ${one.command.join(' ')}`, one]);

/** The keys in the sections of docs/configuration.md, which is generated from the schemas of the processes. */
const keysOf = new Map(
  read('docs/configuration.md')
    .split(/^## /m)
    .map((section): [string, Set<string>] => {
      const title = /^.*$/m.exec(section)?.[0] ?? '';
      return [
        title.replaceAll('`', ''),
        new Set([...section.matchAll(/`((?:VIGIL|OS)_\w+)`/g)].map(([, key]) => key!)),
      ];
    }),
);

/** Returns the keys that the process reads. A watcher also reads those of the process that it watches. */
function keysFor(command: readonly string[]): Set<string> {
  const processes = [...keysOf.keys()].filter((title) => title.startsWith('vigil '));
  const mine = processes.includes(`vigil ${command[1]}`) ? [`vigil ${command[1]}`] : processes;
  return new Set(['The cloud', 'Every process', ...mine].flatMap((title) => [...(keysOf.get(title) ?? [])]));
}

test('every way of deployment is covered', () => {
  expect(pods.map(({ metadata }) => metadata.name)).toHaveLength(6);
  expect(started.map(({ where }) => where.split(' ')[0])).toEqual(
    expect.arrayContaining(['Kubernetes', 'compose', 'systemd']),
  );
  expect(started.length).toBeGreaterThan(25);
});

test.each(cases)('%s is an existing command', (_name, { command: [first, word = '', ...rest] }) => {
  expect(first).toBe('vigil');
  expect(program).toMatch(new RegExp(`^ {2}'?${word}'?: \\(\\) => import`, 'm'));
  if (word === 'watch') {
    expect(watchTargets).toContain(rest[0]);
    expect(['wait', 'check']).toContain(rest[1]);
  } else expect(rest).toEqual(word === 'db' ? ['upgrade'] : []);
});

/** Not every process needs every shared key. A key that no process reads is a mistake. */
const sharedKeys = [...Object.keys(shared), ...Object.keys(secret), ...Object.keys(composed.schema?.environment ?? {})];
test.each(cases)('%s: its environment has keys that it reads', (_name, { where, command, env }) => {
  const keys = where.startsWith('systemd') ? keysFor(['vigil', 'any']) : keysFor(command);
  const everywhere = keysFor(['vigil', 'any']);
  const unknown = Object.keys(env).filter((key) => !(sharedKeys.includes(key) ? everywhere : keys).has(key));

  expect(unknown).toEqual([]);
  for (const key of ['VIGIL_DATABASE_URL', 'OS_PASSWORD', 'OS_AUTH_URL']) expect(env).toHaveProperty(key);
});

test.each(cases.filter(([, { asked }]) => asked.length > 0))('%s: probes use its address', (_name, one) => {
  const port = one.command[1] === 'api' ? (one.env.VIGIL_PORT ?? ports.VIGIL_PORT) : one.env.VIGIL_HEALTH_PORT;
  expect(read('docs/configuration.md')).toContain(`| \`VIGIL_PORT\` | \`${ports.VIGIL_PORT}\` |`);
  const paths = one.asked.map((address) => {
    expect(address).toMatch(new RegExp(`^${port}/`));
    return address.slice(String(port).length);
  });

  expect(paths).toEqual(['/readyz', '/healthz']);
});

test('compose checks every process by the command of the image, which reports whether it is ready', async () => {
  const lasting = Object.values(composed).filter(({ build, command }) => build !== undefined && command[1] !== 'db');
  expect(lasting).toHaveLength(5);
  for (const { healthcheck } of lasting) expect(healthcheck?.test).toEqual(['CMD', 'vigil-health']);
  expect(dockerfile).toContain('/deploy/container/vigil-health /usr/local/bin/');

  const readiness = createReadiness();
  let isReady = false;
  readiness.add('part', async () => {
    if (!isReady) throw new Error('not yet');
  });
  const health = await startHealthServer({ port: 0 }, { readiness, metrics: createMetrics('test') });
  const request = (env: NodeJS.ProcessEnv) =>
    promisify(execFile)('deploy/container/vigil-health', { env: { PATH: process.env.PATH, ...env } }).then(
      () => 'ready',
      ({ code, stdout }: { code: number; stdout: string }) => `${code} ${stdout.trim()}`,
    );
  const worker = { VIGIL_HEALTH_PORT: String(health.port) };

  expect(await request(worker)).toMatch(/^1 HTTP\/1\.1 503 Service Unavailable \{.*not yet/);
  isReady = true;
  expect(await request(worker)).toBe('ready');
  expect(await request({ VIGIL_PORT: String(health.port) })).toBe('ready');
  await health.stop();
  expect(await request(worker)).toBe(`1 nothing listens on port ${health.port}`);
});

test('in Kubernetes every selected object exists, and every probed port is open', () => {
  const selected = objects.filter(({ spec }) => spec?.selector !== undefined);
  expect(selected.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Service', 'PodDisruptionBudget']));
  for (const { spec, metadata } of selected) {
    const labels = (spec.selector.matchLabels ?? spec.selector) as object;
    const found = pods.filter((pod) => Object.entries(labels).every(([key, value]) => labelsOf(pod)[key] === value));
    expect(found.map((pod) => pod.metadata.name)).toEqual([metadata.name]);
    const open = found[0]?.spec.template.spec.containers[0].ports?.map(({ containerPort }) => containerPort) ?? [];
    expect(open).toEqual([metadata.name === 'vigil-api' ? Number(ports.VIGIL_PORT) : 9323]);
    for (const { targetPort } of spec.ports ?? []) expect(open).toContain(targetPort);
  }
  // Requests and probes arrive from outside the pod.
  expect(shared).toMatchObject({ VIGIL_HOST: '0.0.0.0', VIGIL_HEALTH_HOST: '0.0.0.0' });
});

function labelsOf({ spec }: KubernetesObject): Record<string, string> {
  return spec.template.metadata.labels;
}

test('everything waits for the dependencies of its systemd unit, and runs as the user of the image', () => {
  for (const { metadata, spec } of pods.filter(({ kind }) => kind === 'Deployment')) {
    const unit = read(`deploy/systemd/${metadata.name}.service`);
    const [, target] = /^BindsTo=vigil-watch-(\w+)\.service$/m.exec(unit) ?? [];
    expect(spec.template.spec.initContainers?.[0]?.args).toEqual(['vigil', 'watch', target, 'wait']);
    expect(unit).toContain(`\nExecStart=/usr/bin/${spec.template.spec.containers[0].args.join(' ')}\n`);
    expect(composed).toHaveProperty(metadata.name.replace('vigil-', ''));
  }
  // The user `node` of the image has the number 1000.
  for (const { spec } of pods)
    expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
  expect(dockerfile).toMatch(/^FROM node:\S+-slim$/m);
  const units = readdirSync('deploy/systemd').map((unit) => read(`deploy/systemd/${unit}`));
  for (const unit of units) expect(unit).toContain('\nUser=vigil\nGroup=vigil\n');
  expect(read('deploy/vigil.sysusers')).toMatch(/^u vigil /);
});

test('the image has the needs of the program, and listens where compose publishes', () => {
  const { bin, files } = JSON.parse(read('package.json')) as { bin: { vigil: string }; files: string[] };
  const copied = [...dockerfile.matchAll(/^COPY --from=build (.*) \S+$/gm)].flatMap(([, all]) =>
    (all ?? '').split(' '),
  );
  const fromBuild = copied.map((path) => path.replace('/build/', ''));
  for (const path of fromBuild) if (path !== 'dist') expect(existsSync(path), path).toBe(true);
  for (const path of ['package.json', 'node_modules', 'dist', 'openapi', 'LICENSE', 'NOTICE'])
    expect(fromBuild).toContain(path);
  expect(files).toEqual(expect.arrayContaining(['dist', 'openapi/vigil.json']));
  expect(dockerfile).toContain(`ln -s /opt/vigil/${bin.vigil.replace('./', '')} /usr/local/bin/vigil`);
  expect(dockerfile).toMatch(new RegExp(`^EXPOSE ${ports.VIGIL_PORT}$`, 'm'));
  expect(composed.api?.ports).toEqual([`127.0.0.1:${ports.VIGIL_PORT}:${composed.api?.environment.VIGIL_PORT}`]);
});

test('the steps of deploy/README.md name existing files', () => {
  const named = [...read('deploy/README.md').matchAll(/\bdeploy\/[\w./-]+/g)].map(([path]) => path);
  expect(named.length).toBeGreaterThan(3);
  for (const path of named) expect(existsSync(path), path).toBe(true);
});
