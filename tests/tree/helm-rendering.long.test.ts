// @needs helm
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { testServerUrl } from '../servers/test-server-url.ts';

interface KubernetesObject {
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  spec?: { template?: { metadata: { annotations?: Record<string, string> }; spec: Pod }; [field: string]: unknown };
}
interface Pod {
  initContainers?: Container[];
  containers: Container[];
  [field: string]: unknown;
}
interface Container {
  image: string;
  envFrom: unknown[];
  [field: string]: unknown;
}

/** The objects of the chart by kind and name. */
async function rendered(values: object = {}, release = 'vigil'): Promise<Map<string, KubernetesObject>> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-helm-'));
  try {
    const file = join(folder, 'values.json');
    await writeFile(file, JSON.stringify(values));
    const args = ['template', release, 'deploy/helm/vigil', '--values', file];
    const { stdout } = await promisify(execFile)(testServerUrl('helm'), args);
    return byName(stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function byName(text: string): Map<string, KubernetesObject> {
  const documents = parseAllDocuments(text);
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  // Helm drops empty documents.
  const objects = documents.flatMap((document) => (document.toJS() as KubernetesObject | null) ?? []);
  return new Map(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
}

function containersOf({ spec }: KubernetesObject): Container[] {
  const pod = spec?.template?.spec;
  return pod ? [...(pod.initContainers ?? []), ...pod.containers] : [];
}

/** The manifests as kustomize applies them: with the image of the registry. */
async function manifests(): Promise<Map<string, KubernetesObject>> {
  const objects = byName(await readFile('deploy/kubernetes/vigil.yaml', 'utf8'));
  const { images } = parse(await readFile('deploy/kubernetes/kustomization.yaml', 'utf8')) as {
    images: [{ name: string; newName: string; newTag: string }];
  };
  const [{ name, newName, newTag }] = images;
  for (const container of [...objects.values()].flatMap(containersOf))
    container.image = container.image.replace(new RegExp(`^${name}:.*$`), `${newName}:${newTag}`);
  return objects;
}

test('the defaults make the objects of the manifests, a job per revision and a config checksum', async () => {
  const objects = await rendered();
  const job = objects.get('Job vigil-db-upgrade-1');
  if (job) {
    job.metadata.name = 'vigil-db-upgrade';
    objects.delete('Job vigil-db-upgrade-1');
    objects.set('Job vigil-db-upgrade', job);
  }
  for (const { kind, spec } of objects.values()) {
    if (kind !== 'Deployment' || !spec?.template) continue;
    const { annotations, ...metadata } = spec.template.metadata;
    expect(annotations).toEqual({ 'checksum/config': expect.stringMatching(/^[0-9a-f]{64}$/) });
    spec.template.metadata = metadata;
  }
  const expected = await manifests();
  expect([...objects.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [name, object] of expected) expect(objects.get(name), name).toEqual(object);
});

test('a release with another name shares no object, label or secret', async () => {
  const objects = await rendered({}, 'second');
  expect(objects.size).toBe((await rendered()).size);
  expect(JSON.stringify([...objects.values()])).not.toMatch(/"(name|app)":"vigil/);
  for (const name of objects.keys()) expect(name).toMatch(/ second\b/);
});

test('every value reaches its objects', async () => {
  const toleration = { key: 'control-plane', operator: 'Exists' };
  const objects = await rendered({
    image: { repository: 'registry.test/vigil', tag: '9.9.9', pullPolicy: 'Always' },
    imagePullSecrets: ['one', 'two'],
    secretName: 'own',
    schemaSecretName: 'owner',
    config: { VIGIL_LOG_LEVEL: 'debug', VIGIL_PROMETHEUS_URL: null },
    api: { replicas: 1 },
    decisionEngine: { resources: { limits: { memory: '8Gi' } } },
    nodeSelector: { disk: 'ssd' },
    tolerations: [toleration],
    networkPolicy: {
      monitoringNamespace: 'metrics',
      apiFrom: [{ podSelector: { matchLabels: { app: 'ingress' } } }],
      egressTo: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
    },
  });
  const pods = [...objects.values()].filter(({ spec }) => spec?.template);
  expect(pods).toHaveLength(6);
  for (const object of pods) {
    expect(object.spec?.template?.spec).toMatchObject({
      imagePullSecrets: [{ name: 'one' }, { name: 'two' }],
      nodeSelector: { disk: 'ssd' },
      tolerations: [toleration],
    });
    for (const container of containersOf(object)) {
      expect(container).toMatchObject({ image: 'registry.test/vigil:9.9.9', imagePullPolicy: 'Always' });
      expect(container.envFrom).toContainEqual({ secretRef: { name: object.kind === 'Job' ? 'owner' : 'own' } });
    }
  }
  const { data } = objects.get('ConfigMap vigil') ?? {};
  expect(data).toMatchObject({ VIGIL_LOG_LEVEL: 'debug', OS_USERNAME: 'vigil' });
  expect(data).not.toHaveProperty('VIGIL_PROMETHEUS_URL');
  expect(objects.get('Deployment vigil-api')?.spec).toMatchObject({ replicas: 1 });
  expect(objects.has('PodDisruptionBudget vigil-api')).toBe(false);
  expect(objects.get('Deployment vigil-decision-engine')?.spec?.template?.spec.containers[0]).toMatchObject({
    resources: { limits: { cpu: '4', memory: '8Gi' } },
  });
  const policies = JSON.stringify([objects.get('NetworkPolicy vigil'), objects.get('NetworkPolicy vigil-api')]);
  for (const part of ['"metrics"', '"ingress"', '"10.0.0.0/8"']) expect(policies).toContain(part);
  expect(policies).not.toContain('0.0.0.0/0');
});

test('a changed configuration changes the pods, and policies can be left out', async () => {
  const checksum = (objects: Map<string, KubernetesObject>) =>
    objects.get('Deployment vigil-api')?.spec?.template?.metadata.annotations?.['checksum/config'];
  const [before, after] = [await rendered(), await rendered({ config: { VIGIL_LOG_LEVEL: 'debug' } })];
  expect(checksum(after)).not.toBe(checksum(before));
  const open = await rendered({ networkPolicy: { enabled: false } });
  expect([...open.keys()].filter((name) => name.startsWith('NetworkPolicy'))).toEqual([]);
});
