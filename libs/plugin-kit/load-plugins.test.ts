import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OperatorError } from '#libs/domain';
import { loadPlugins } from './load-plugins.ts';
import { findPluginEntry } from './plugin-entry.ts';
import { createPluginRegistry } from './registry.ts';

function moduleText(name: string): string {
  const goal = { kind: 'goal', name, displayName: name, indicators: [] };
  return `export const plugins = [{ ...${JSON.stringify(goal)}, globalEfficacy: () => [] }];`;
}

describe('loadPlugins', () => {
  let cwd: string;

  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'vigil-plugins-'));
    const files: Record<string, string> = {
      'plain/index.js': moduleText('plain'),
      'plain/package.json': '{"type":"module"}',
      'module/index.mjs': moduleText('module'),
      'main/package.json': '{"type":"module","main":"lib/start.js"}',
      'main/lib/start.js': moduleText('main'),
      'node_modules/packaged/package.json':
        '{"type":"module","exports":{".":{"types":"./x.d.ts","import":"./dist/a.js"}}}',
      'node_modules/packaged/dist/a.js': moduleText('packaged'),
      'node_modules/@scope/packaged/package.json': '{"type":"module","exports":"./a.js"}',
      'node_modules/@scope/packaged/a.js': moduleText('scoped'),
      'deep/down/keep.txt': '',
      'silent/index.mjs': 'export const plugin = {};',
      'wrong/index.mjs': 'export const plugins = {};',
      'empty/index.mjs': 'export const plugins = [];',
      'broken/index.mjs': 'export const plugins = [;',
      'throws/index.mjs': 'throw new Error("no licence found");',
      'hollow/readme.txt': '',
      'gone/package.json': '{"main":"nowhere.js"}',
      'badjson/package.json': '{"main":',
      'outside/package.json': '{"type":"module","exports":"../plain/index.js"}',
      'further/package.json': '{"type":"module","main":"./lib/../../plain/index.js"}',
      'rooted/package.json': `{"type":"module","exports":{"import":"${join(cwd, 'plain/index.js')}"}}`,
      'again/index.mjs': moduleText('plain'),
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(cwd, path, '..'), { recursive: true });
      await writeFile(join(cwd, path), text);
    }
  });
  afterAll(() => rm(cwd, { recursive: true, force: true }));

  it.each([
    ['./plain', 'plain'],
    ['plain', 'plain'],
    ['./module', 'module'],
    ['main', 'main'],
    ['packaged', 'packaged'],
    ['@scope/packaged', 'scoped'],
  ])('loads %s', async (specifier, goal) => {
    const registry = createPluginRegistry();

    await loadPlugins([specifier], registry, { cwd });

    expect(registry.goals().map(({ name }) => name)).toEqual([goal]);
  });

  it('loads absolute folders, and packages installed above the working directory', async () => {
    const registry = createPluginRegistry();

    await loadPlugins([join(cwd, 'plain'), 'packaged'], registry, { cwd: join(cwd, 'deep/down') });

    expect(registry.goals().map(({ name }) => name)).toEqual(['plain', 'packaged']);
  });

  it('finds packages beside Vigil, wherever that was started', () => {
    const entry = findPluginEntry(
      '@scope/packaged',
      '/',
      join(cwd, 'node_modules/openstack-vigil/dist/libs/plugin-kit'),
    );

    expect(entry).toBe(join(cwd, 'node_modules/@scope/packaged/a.js'));
  });

  it('remembers where a worker finds a strategy', async () => {
    const example = fileURLToPath(new URL('../../examples/strategy-plugin', import.meta.url));
    const registry = createPluginRegistry();

    await loadPlugins([example], registry);

    expect(registry.source('strategy', 'spread_by_count')).toEqual({
      kind: 'strategy',
      name: 'spread_by_count',
      moduleUrl: pathToFileURL(join(example, 'index.js')).href,
      exportName: 'plugins',
    });
  });

  it.each([
    ['./missing', /there is no folder .*missing; correct VIGIL_PLUGINS/],
    ['vigil-missing', /neither a folder .* nor an npm package .* install it with npm or correct VIGIL_PLUGINS/],
    ['silent', /has no export "plugins"; add: export const plugins = \[yourPlugin\];/],
    ['wrong', /exports "plugins" that is not an array/],
    ['empty', /is empty/],
    ['broken', /cannot be loaded/],
    ['throws', /cannot be loaded: no licence found/],
    ['hollow', /has no index\.js or index\.mjs/],
    ['gone', /has no nowhere\.js/],
    ['badjson', /package\.json is not valid JSON/],
    ['outside', /is outside .*outside, so it is not loaded/],
    ['further', /is outside .*further, so it is not loaded/],
    ['rooted', /is outside .*rooted, so it is not loaded/],
    [fileURLToPath(new URL('./testing/bad-manifest', import.meta.url)), /plugin bad_manifest: manifest\.metrics\[0\]/],
  ])('ends with one clear line for %s', async (specifier, reason) => {
    const loading = loadPlugins([specifier], createPluginRegistry(), { cwd });

    await expect(loading).rejects.toThrow(OperatorError);
    await expect(loading).rejects.toThrow(reason);
  });

  it('names both folders when they bring the same name', async () => {
    const loading = loadPlugins(['plain', 'again'], createPluginRegistry(), { cwd });

    await expect(loading).rejects.toThrow(/goal plain of plugin again has the same name as that of plugin plain/);
  });
});
