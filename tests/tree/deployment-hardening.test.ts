import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { commonEnv } from '#libs/service-kit/env';

interface Probe {
  httpGet?: object;
  periodSeconds: number;
  failureThreshold: number;
}
interface Container {
  name: string;
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    readOnlyRootFilesystem?: boolean;
    privileged?: boolean;
    capabilities?: { drop?: string[]; add?: string[] };
  };
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  ports?: { hostPort?: number }[];
  readinessProbe?: Probe;
  livenessProbe?: Probe;
}
interface Pod {
  automountServiceAccountToken?: boolean;
  enableServiceLinks?: boolean;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  securityContext?: { runAsNonRoot?: boolean; runAsUser?: number; seccompProfile?: { type: string } };
  volumes?: Record<string, unknown>[];
  initContainers?: Container[];
  containers: Container[];
}
interface KubernetesObject {
  kind: string;
  metadata: { name: string };
  spec: { podSelector?: { matchLabels: Record<string, string> }; policyTypes?: string[]; template?: { spec: Pod } };
}

const read = (path: string) => readFileSync(path, 'utf8');
const objects = parseAllDocuments(read('deploy/kubernetes/vigil.yaml')).map((one) => one.toJS() as KubernetesObject);
const pods = objects.flatMap(({ kind, metadata, spec }) =>
  spec?.template === undefined ? [] : [{ name: `${kind} ${metadata.name}`, pod: spec.template.spec }],
);
const containers = pods.flatMap(({ name, pod }) =>
  [...(pod.initContainers ?? []), ...pod.containers].map((container) => ({
    name: `${name} ${container.name}`,
    container,
  })),
);
interface ComposeService {
  image: string;
  build?: string;
  hostname?: string;
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
}
const composed = (parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, ComposeService> })
  .services;

test('every pod passes the Pod Security standard "restricted", that of the schema too', () => {
  expect(pods).toHaveLength(6);
  expect(containers).toHaveLength(11);
  const allowedVolumes = [
    'configMap',
    'csi',
    'downwardAPI',
    'emptyDir',
    'ephemeral',
    'persistentVolumeClaim',
    'projected',
    'secret',
  ];
  for (const { name, pod } of pods) {
    expect(pod.securityContext, name).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(pod.securityContext?.runAsUser, name).not.toBe(0);
    expect([pod.hostNetwork, pod.hostPID, pod.hostIPC], name).toEqual([undefined, undefined, undefined]);
    for (const { name: _name, ...source } of pod.volumes ?? [])
      expect(allowedVolumes, name).toContain(Object.keys(source)[0]);
  }
  for (const { name, container } of containers) {
    expect(container.securityContext?.allowPrivilegeEscalation, name).toBe(false);
    expect(container.securityContext?.capabilities, name).toEqual({ drop: ['ALL'] });
    expect(container.securityContext?.privileged, name).toBeUndefined();
    for (const port of container.ports ?? []) expect(port.hostPort, name).toBeUndefined();
  }
});

test('beyond the standard: read-only root, no token of the cluster, no variables of its services, limits, and policies for the network', () => {
  for (const { name, pod } of pods) {
    expect(pod.automountServiceAccountToken, name).toBe(false);
    expect(pod.enableServiceLinks, name).toBe(false);
  }
  for (const { name, container } of containers) {
    expect(container.securityContext?.readOnlyRootFilesystem, name).toBe(true);
    for (const kind of ['requests', 'limits'] as const)
      expect(Object.keys(container.resources?.[kind] ?? {}).sort(), `${name} ${kind}`).toEqual(['cpu', 'memory']);
  }
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  expect(policies[0]?.spec).toMatchObject({
    podSelector: { matchLabels: { app: 'vigil' } },
    policyTypes: ['Ingress', 'Egress'],
  });
});

test('probes start no process, and a busy process is ended by its own watchdog before Kubernetes does it', () => {
  const probed = containers.filter(({ container }) => container.livenessProbe !== undefined);
  expect(probed).toHaveLength(5);
  for (const { name, container } of probed) {
    expect(container.readinessProbe?.httpGet, name).toBeDefined();
    expect(container.livenessProbe?.httpGet, name).toBeDefined();
    const { periodSeconds = 0, failureThreshold = 0 } = container.livenessProbe ?? {};
    expect(periodSeconds * failureThreshold, name).toBeGreaterThan(
      1.5 * Number(commonEnv.VIGIL_WATCHDOG_SECONDS.defaultText),
    );
  }
});

test('in compose our containers have no privileges and a read-only root, and are one host', () => {
  const ours = Object.values(composed).filter(({ build }) => build !== undefined);
  expect(ours).toHaveLength(6);
  for (const service of ours) {
    expect(service).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Compose replaces it.
    expect(service.environment?.VIGIL_HOST_ID).toBe('${VIGIL_HOST_ID:-vigil}');
  }
});

test('data is kept in a new container, which is not called healthy too early', () => {
  expect(composed.rabbitmq?.hostname).toBe('rabbitmq');
  expect(composed.postgres?.healthcheck?.test.join(' ')).toContain('-h 127.0.0.1');
});

test('no two services share a secret', () => {
  const users = new Map<string, string[]>();
  for (const [name, { build, environment = {} }] of Object.entries(composed)) {
    if (build !== undefined) continue;
    for (const [key, value] of Object.entries(environment)) {
      const [, secret] = /^\$\{(\w+)/.exec(value) ?? [];
      if (secret) users.set(secret, [...(users.get(secret) ?? []), `${name} ${key}`]);
    }
  }
  expect(users.size).toBeGreaterThan(1);
  for (const [secret, keys] of users) expect(keys, secret).toHaveLength(1);
});

test('images are pinned to a patch version', () => {
  const foreign = Object.values(composed).filter(({ build }) => build === undefined);
  const named = foreign.map(({ image }) => /:-(.*)\}$/.exec(image)?.[1] ?? image);
  const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image!);
  expect(new Set(bases).size).toBe(1);
  for (const image of [...named, ...bases])
    expect(image).toMatch(image.startsWith('postgres') ? /:\d+\.\d+$/ : /:\d+\.\d+\.\d+/);
});

test('files with passwords and files outside the program stay out of the build and of the repository', () => {
  expect(read('.gitignore').split('\n')).toContain('.env');
  const patterns = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(patterns[0]).toBe('*');
  const allowed = patterns.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  for (const path of ['docs', 'bench', '.env', '.git', 'examples']) expect(allowed).not.toContain(path);
  expect(patterns).toContain('**/*.test.ts');
});
