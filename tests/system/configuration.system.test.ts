import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runVigil } from './vigil-process.ts';

const cloud = {
  OS_AUTH_URL: 'http://127.0.0.1:1/v3',
  OS_USERNAME: 'vigil',
  OS_PASSWORD: 'secret',
  OS_PROJECT_NAME: 'service',
};

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'vigil-configuration-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The log line with the reason of its end. */
function lastLine(stderr: string): string {
  return stderr.trim().split('\n').at(-1) ?? '';
}

describe('a configuration that cannot be used ends a process with 78 and one line with every fault', () => {
  it.each([
    ['api', { VIGIL_POLICY_FILE: '/no/such/file' }, ['VIGIL_POLICY_FILE']],
    [
      'decision-engine',
      { VIGIL_NOVA_CELLS: 'nonsense', VIGIL_DATASOURCES: 'prometheus,aetos', VIGIL_WEIGHT_PLANNER_WEIGHTS: 'x' },
      ['VIGIL_NOVA_CELLS', 'VIGIL_DATASOURCES', 'VIGIL_WEIGHT_PLANNER_WEIGHTS'],
    ],
    ['applier', { VIGIL_APPLIER_EXECUTION_RULES: 'x' }, ['VIGIL_APPLIER_EXECUTION_RULES']],
  ])('%s', async (process, more, named) => {
    const { OS_PASSWORD: _, ...incomplete } = cloud;
    const env = {
      ...incomplete,
      ...more,
      OS_INTERFACE: 'inside',
      VIGIL_GATE_TRIES: '0',
      VIGIL_GATE_REQUIRED: 'nonsense',
      VIGIL_PLUGINS: './no-such-plugin,./nor-this',
      VIGIL_PLUGINS_STRICT: 'true',
    };
    const { exitCode, stderr } = await runVigil([process], env);
    const line = lastLine(stderr);
    expect(exitCode, stderr).toBe(78);
    const plugins = process === 'api' ? [] : ['no-such-plugin', 'nor-this'];
    const always = ['VIGIL_DATABASE_URL', 'OS_PASSWORD', 'OS_INTERFACE', 'VIGIL_GATE_TRIES', 'VIGIL_GATE_REQUIRED'];
    for (const name of [...always, ...named, ...plugins]) expect(line).toContain(name);
    expect(line).toMatch(new RegExp(`^vigil ${process}: configuration: `));
  });

  it.each(['scheduler', 'coordinator'])('%s', async (process) => {
    const { exitCode, stderr } = await runVigil([process], { VIGIL_LOG_LEVEL: 'loud' });
    expect(exitCode).toBe(78);
    expect(lastLine(stderr)).toMatch(/VIGIL_LOG_LEVEL must be one of .*; VIGIL_DATABASE_URL is not set/);
  });

  it('a plugin that is missing, and nothing else', async () => {
    const env = { ...cloud, VIGIL_DATABASE_URL: 'postgres://127.0.0.1:1/x', VIGIL_PLUGINS: './no-such-plugin' };
    const { exitCode, stderr } = await runVigil(['decision-engine'], { ...env, VIGIL_PLUGINS_STRICT: 'true' });
    expect(exitCode).toBe(78);
    expect(lastLine(stderr)).toContain('there is no folder');
  });
});

describe('vigil up', () => {
  it('checks the variables of the cloud before it starts anything', async () => {
    const dataDir = folder();
    const env = { VIGIL_DATA_DIR: dataDir, OS_AUTH_URL: 'keystone:5000', VIGIL_PORT: 'x' };
    const { exitCode, stderr } = await runVigil(['up'], env);
    expect(exitCode).toBe(78);
    for (const name of ['OS_AUTH_URL', 'OS_USERNAME', 'OS_PASSWORD', 'VIGIL_PORT']) expect(stderr).toContain(name);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('ends with 78 when one of its processes does', async () => {
    const { exitCode, stderr } = await runVigil(['up'], {
      VIGIL_DATA_DIR: folder(),
      VIGIL_PORT: '0',
      VIGIL_SIMULATOR_PORT: '0',
      VIGIL_SIMULATOR_GENERATE: 'hosts=2,instances=4',
      VIGIL_SIMULATOR_BACKFILL_MINUTES: '0',
      VIGIL_APPLIER_WORKERS: '0',
    });
    expect(exitCode, stderr).toBe(78);
    expect(stderr).toContain('vigil applier: configuration: VIGIL_APPLIER_WORKERS must be');
  });
});

it('warns of keys that no process knows, with the one that was probably meant', async () => {
  const { exitCode, stderr } = await runVigil(['scheduler'], { VIGIL_DATABSE_URL: 'postgres://a/b', VIGIL_PORT: '1' });
  expect(exitCode).toBe(78);
  const warnings = stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  expect(warnings).toMatchObject([{ level: 'warn', key: 'VIGIL_DATABSE_URL', nearest: 'VIGIL_DATABASE_URL' }]);
});
