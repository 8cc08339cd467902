import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Assessment } from '../../services/decision-engine/assessment/assessment.ts';
import { type PluginParts, writePlugin } from '../../services/decision-engine/assessment/testing/write-plugin.ts';
import { type InstalledPackage, installPackage } from './installed-package.ts';
import { noHistory, startTestStack, type TestStack } from './test-stack.ts';
import { startVigil, type VigilProcess } from './vigil-process.ts';

// A build, an installation and a demo, each with a separate time limit.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installPackage();
});
afterAll(() => installed?.remove());

/** Fenced blocks of a page, with the words behind the fence. */
async function blocksOf(path: string): Promise<{ kind: string; text: string }[]> {
  const page = await readFile(path, 'utf8');
  return [...page.matchAll(/^```([^\n]+)\n(.*?)^```$/gms)].map(([, kind = '', text = '']) => ({ kind, text }));
}

describe('the published package', () => {
  test('has nothing that only this project needs', async () => {
    const entries = await readdir(installed.root, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const inside = files.map((file) => file.slice(installed.root.length + 1));

    expect(inside.filter((file) => /\.map$|tsbuildinfo|^dist\/(bench|scripts|tests)\//.test(file))).toEqual([]);
    const template = 'dist/services/cli/plugin-template/';
    expect(inside.filter((file) => /\.test\.|fixture/.test(file) && !file.startsWith(template))).toEqual([]);
    const needed = [
      'README.md',
      'LICENSE',
      'NOTICE',
      'CHANGELOG.md',
      'docs/plugins.md',
      'openapi/vigil.json',
      'dist/vigil.1',
    ];
    expect(inside).toEqual(
      expect.arrayContaining([...needed, `${template}strategy.test.js`, `${template}package.json`]),
    );
  });

  test('has no fault that publint or "are the types wrong" finds', async () => {
    const program = [process.execPath, resolve('scripts/check-package.mjs'), installed.tarball];
    expect(await installed.run(program, { cwd: resolve('.') })).toMatch(/^3 entry points, 0 faults$/m);
  });

  test('names all its parts in a bill of materials', async () => {
    const sbom = JSON.parse(await readFile(join(installed.root, 'dist/sbom.cdx.json'), 'utf8')) as {
      bomFormat: string;
      metadata: { component: { name: string } };
      components: { 'bom-ref': string; name: string; hashes: { alg: string }[] }[];
    };
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
      packages: Record<string, { version: string; dev?: true }>;
    };
    const atRunTime = Object.entries(packages)
      .filter(([place, { dev }]) => place !== '' && !dev)
      .map(([place, { version }]) => `${place.replace(/^.*node_modules\//, '')}@${version}`);

    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'openstack-vigil' } } });
    expect(sbom.components.map((component) => component['bom-ref'])).toEqual(expect.arrayContaining(atRunTime));
    const names = sbom.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['react', '@patternfly/react-core', 'uplot']));
    expect(names).not.toContain('vitest');
    expect(sbom.components.filter(({ hashes }) => hashes?.[0]?.alg !== 'SHA-512')).toEqual([]);
  });
});

test('the first minute: npx openstack-vigil demo', async () => {
  // The machine may run Vigil already.
  const env = { VIGIL_PORT: '0', VIGIL_SIMULATOR_PORT: '0' };
  const out = await installed.run(['npx', 'openstack-vigil', 'demo', '--exit', '--json'], { env });

  expect(JSON.parse(out)).toMatchObject({ audit: 'SUCCEEDED', action_plan: 'SUCCEEDED', failed: 0 });
});

test('the examples of the READMEs compile in a strict project, and the strategy works as described', async () => {
  const folder = join(installed.folder, 'project');
  await mkdir(folder);
  for (const lib of ['client', 'plugin-kit']) {
    const examples = (await blocksOf(`libs/${lib}/README.md`)).filter(({ kind }) => kind === 'ts');
    expect(examples.length).toBeGreaterThan(0);
    await writeFile(join(folder, `${lib}.ts`), examples.map(({ text }) => text).join('\n'));
  }
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    typeRoots: [resolve('node_modules/@types')],
    types: ['node'],
    rootDir: '.',
    outDir: 'built',
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));

  await installed.run([resolve('node_modules/.bin/tsc'), '-p', folder]);
  await installed.run([process.execPath, join(folder, 'built/plugin-kit.js')]);
});

describe('vigil plugin assess', () => {
  const spread = `
    for (let instance = 0; instance < instances; instance += 1)
      for (let host = 0; host < hosts; host += 1)
        if (model.instancesOn(host).length === 0 && may(instance, host)) return [migrate(instance, host)];
    return [];`;
  const anyMove = `
    for (let instance = 0; instance < instances; instance += 1) {
      const choices = Array.from({ length: hosts }, (_, host) => host).filter((host) => may(instance, host));
      if (choices.length > 1) return [migrate(instance, choices[CHOICE % choices.length])];
    }
    return [];`;
  const broken: [name: string, property: string, parts: PluginParts, options: string[]][] = [
    [
      'random',
      'deterministic',
      { propose: anyMove.replace('CHOICE', 'Math.floor(1e6 * Math.random())') },
      ['--no-days'],
    ],
    ['endless', 'bounded', { propose: 'for (;;) instances;' }, ['--time-limit', '1']],
    [
      'unruly',
      'constraints',
      {
        propose: `const { group } = model.snapshot.instances;
          const pairs = [...group.keys()].flatMap((one) => [...group.keys()].map((other) => [one, other]));
          const isBroken = ([one, other]) => model.snapshot.groups[group[one]]?.policy === 'anti-affinity' &&
            group[one] === group[other] && model.hostOf[one] >= 0 && model.hostOf[other] >= 0 &&
            model.hostOf[one] !== model.hostOf[other] && model.immovable(one) === null;
          const [found] = pairs.filter(isBroken);
          return found === undefined ? [] : [migrate(found[0], model.hostOf[found[1]])];`,
      },
      ['--no-days'],
    ],
    ['flapping', 'calm', { propose: anyMove.replace('CHOICE', '0') }, ['--worlds', '1']],
    ['throwing', 'robust', { propose: 'return model.snapshot.hostInfo[0].uuid ? [] : [];' }, ['--no-days']],
  ];
  const assess = (folder: string, options: string[]) =>
    installed.run([
      'npx',
      'openstack-vigil',
      'plugin',
      'assess',
      folder,
      '--json',
      '--quiet',
      '--worlds',
      '5',
      ...options,
    ]);

  test.each(broken)('finds that a plugin is %s: %s', async (name, property, parts, options) => {
    const folder = await writePlugin(installed.folder, name, parts);
    const message = String(await assess(folder, options).catch((error: Error) => error.message));
    expect(message).toMatch(/vigil: properties of tried are broken/);
    const report = JSON.parse(message.slice(message.indexOf('\n{'))) as Assessment;
    const bad = report.strategies[0]!.properties.filter(({ verdict }) => verdict === 'broken');
    expect(bad.map((one) => one.property)).toEqual([property]);
    expect(bad[0]!.findings[0]).toMatchObject({ what: expect.any(String), world: expect.any(String) });
    expect(bad[0]!.findings[0]!.reproduce).toMatch(/^vigil plugin assess .* --strategy tried --(seed|worlds) \d/);
  });

  test('assessStrategy of the testing kit does the same in a test of a plugin', async () => {
    const folder = await writePlugin(installed.folder, 'sound', { propose: spread });
    const program = `import { assessStrategy } from 'openstack-vigil/plugin-kit/testing';
      const { good } = await assessStrategy(${JSON.stringify(folder)}, { random: 3 }, { days: false });
      console.log(good);`;
    const out = await installed.run([process.execPath, '--input-type=module', '-e', program]);
    expect(out).toBe('true\n');
  });
});

describe('plugins', () => {
  let stack: TestStack;
  // The demo covers cloud and API of the package. Only the other processes load plugins.
  const running: VigilProcess[] = [];
  beforeAll(async () => {
    stack = await startTestStack({ simulator: ['--generate', 'hosts=4,instances=8,seed=3', ...noHistory] });
  });
  const stopRunning = () => Promise.all(running.splice(0).map((process) => process.stop()));
  afterAll(async () => {
    await stopRunning();
    await stack?.stop();
  });
  const start = (role: string, plugins: NodeJS.ProcessEnv) =>
    startVigil([role], { ...stack.env, ...plugins }, join(installed.root, 'dist/services/vigil.js'));

  test('docs/plugins.md: every file and command of the walk-through works as it stands, publishing included', async () => {
    const env = {
      ...stack.env,
      OS_USERNAME: 'admin',
      OS_PROJECT_NAME: 'admin',
      VIGIL_API_URL: stack.api.url!,
      PATH: `${join(installed.folder, 'node_modules/.bin')}:${process.env.PATH}`,
    };
    const folder = join(installed.folder, 'even-out');
    const printed: string[] = [];
    let cwd = installed.folder;
    for (const { kind, text } of await blocksOf('docs/plugins.md')) {
      if (kind === 'js') {
        const name = /^\/\/ (\S+)\n/.exec(text)?.[1];
        await writeFile(join(folder, name!), text);
      } else if (kind === 'sh service') {
        const [, named] = /^VIGIL_PLUGINS=(\S+) vigil up\n$/.exec(text) ?? [];
        const plugins = { VIGIL_PLUGINS: named === '$PWD' ? cwd : named };
        await stopRunning();
        running.push(await start('decision-engine', plugins), await start('applier', plugins));
      } else {
        const out = await installed.run(['bash', '-ec', `${text}\npwd`], { cwd, env });
        const lines = out.trimEnd().split('\n');
        cwd = lines.pop()!;
        printed.push(lines.join('\n'));
      }
    }
    const [scaffold, assessed, use, packed, , released] = printed;
    expect(scaffold).toMatch(/pass 3(\n|$)/);
    expect(assessed).toMatch(/^even_out \(goal unclassified\): all assessed properties hold$/m);
    for (const property of ['deterministic', 'bounded', 'robust', 'constraints', 'calm'])
      expect(assessed).toMatch(new RegExp(`^${property} +holds `, 'm'));
    expect(assessed?.split('\n').filter((line) => line.length > 80)).toEqual([]);
    for (const row of [
      /strategy +announcement +Announcement +unclassified/,
      /action +announce /,
      /data_source +rack_sensors /,
      /collector +baremetal /,
      /max_instances/,
    ])
      expect(use).toMatch(row);
    expect(packed).toContain('even-out-1.0.0.tgz');
    expect(await readdir(join(installed.folder, 'node_modules/even-out'))).not.toContain('strategy.test.js');
    expect(released).toMatch(/strategy +announcement .* even-out/);
    const plans = await stack.client.list('action_plans');
    expect(plans).toHaveLength(2);
    for (const { uuid } of plans)
      expect(await stack.client.waitForActionPlan(uuid, { pollMs: 100, timeoutMs: 120_000 })).toMatchObject({
        state: 'SUCCEEDED',
      });
    const actions = await stack.client.list('actions');
    expect(actions.map(({ input_parameters }) => input_parameters)).toEqual(
      expect.arrayContaining([{ message: 'Upgrade of 4 hosts' }, { message: 'Release of 4 hosts' }]),
    );
  });
});
