import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPluginRegistry, loadPlugins } from '#libs/plugin-kit';
import type { PluginAssessment } from './cli-context.ts';
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

describe('plugin assess', () => {
  const findings = [
    {
      what: '5 of 26 instances went back to a former host although nothing changed, as in a cloud with many of them.',
      action: 'vm-1-1: compute-1 > compute-2 (00:00) > compute-1 (01:00) > compute-2 (02:00) > compute-1 (03:00)',
      ...{
        world: 'still day',
        worlds: 3,
        reproduce: `vigil plugin assess ./tried --strategy tried ${'-p a=1 '.repeat(9)}`,
      },
    },
  ];
  const assessment = (good: boolean): PluginAssessment => ({
    strategies: [
      {
        ...{ strategy: 'tried', goal: 'unclassified', good, measures: { worlds: 9, runs: 18, actions: 1 } },
        properties: [
          { property: 'robust', verdict: 'not_assessed', summary: `It is ${'very '.repeat(12)}long.`, findings: [] },
          { property: 'calm', verdict: good ? 'holds' : 'broken', summary: 'One.', findings: good ? [] : findings },
        ],
        days: [{ day: 'still day', audits: 24, moves: 1, returns: 0 }],
      },
    ],
  });

  async function assess(args: string[], good: boolean) {
    let [out, err] = ['', ''];
    const given: unknown[] = [];
    const code = await runCli(['plugin', 'assess', './tried', ...args], {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      async assessPlugin(...all) {
        given.push(all);
        return assessment(good);
      },
      env: {},
      columns: 80,
    });
    return { code, out, err, given };
  }

  it('passes the worlds and settings, and prints a line for each property', async () => {
    const { code, out, err, given } = await assess(
      ['--world', 'a.world', '--world', 'b.world', '--worlds', '3', '--seed', '7', '-p', 'most=2', '--no-days'],
      true,
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(given).toEqual([
      [
        './tried',
        { files: ['a.world', 'b.world'], random: 3, seed: 7 },
        { strategy: undefined, parameters: { most: 2 }, timeLimitSeconds: 10, days: false },
      ],
    ]);
    expect(out).toMatch(/^tried \(goal unclassified\): all assessed properties hold$/m);
    expect(out).toMatch(/^calm +holds +One\.$/m);
    expect(out).toMatch(/^still day: 24 audits, 1 migration, 0 to a former host$/m);
  });

  it('prints the evidence within 80 columns, and fails', async () => {
    const { code, out, err } = await assess([], false);
    expect(code).toBe(1);
    expect(err).toBe('vigil: properties of tried are broken\n');
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(out).toMatch(/^calm +BROKEN /m);
    expect(out).toMatch(/world: {2}still day, and 2 more/);
    expect(out).toMatch(/rerun: {2}vigil plugin assess \.\/tried --strategy tried .* \\\n/);
  });

  it('prints everything as JSON', async () => {
    expect(JSON.parse((await assess(['--json'], false)).out)).toEqual(assessment(false));
  });

  it.each([
    ['--worlds', '-1'],
    ['--seed', 'x'],
    ['--time-limit', '0'],
  ])('refuses %s %s', async (...args) => {
    expect(await assess(args, true)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`vigil: ${args[0]} must be`),
    });
  });
});

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

  it('does not change an existing folder', async () => {
    expect((await make('twice')).code).toBe(0);
    expect(await make('twice')).toMatchObject({ code: 2, err: expect.stringMatching(/already exists/) });
  });
});
