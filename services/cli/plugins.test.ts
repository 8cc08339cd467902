import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPluginRegistry, loadPlugins } from '#libs/plugin-kit';
import { runCli } from './main.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigil-scaffold-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function make(name: string) {
  let out = '';
  let err = '';
  const code = await runCli(['plugin', 'new', join(folder, name), '--json'], {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

describe('plugin new', () => {
  it('makes a strategy that loads, with tests that pass', async () => {
    expect(await make('spread-evenly')).toMatchObject({ code: 0, err: '' });
    const registry = createPluginRegistry();
    await loadPlugins([join(folder, 'spread-evenly')], registry);
    expect(registry.strategies().map(({ manifest }) => manifest.name)).toEqual(['spread_evenly']);
    const report = execFileSync(process.execPath, ['--test'], {
      cwd: join(folder, 'spread-evenly'),
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });
    expect(report).toMatch(/pass 3\n/);
    expect(await readFile(join(folder, 'spread-evenly', 'README.md'), 'utf8')).not.toContain('my_strategy');
    const manifest = JSON.parse(await readFile(join(folder, 'spread-evenly', 'package.json'), 'utf8'));
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(manifest.devDependencies).toEqual({ 'openstack-vigil': `^${version}` });
  });

  it('takes a word of the language as a name', async () => {
    expect((await make('class')).code).toBe(0);
    await loadPlugins([join(folder, 'class')], createPluginRegistry());
  });

  it.each(['Upper', 'a b', '9lives'])('refuses %s', async (name) => {
    expect(await make(name)).toMatchObject({ code: 2, err: expect.stringMatching(/cannot be the name/) });
  });

  it('leaves a folder alone that is there', async () => {
    expect((await make('twice')).code).toBe(0);
    expect(await make('twice')).toMatchObject({ code: 2, err: expect.stringMatching(/is there already/) });
  });
});
