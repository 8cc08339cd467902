// @needs systemd
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { testServerUrl } from '../servers/test-server-url.ts';

const run = promisify(execFile);
const unitFolder = 'deploy/systemd';
const units = readdirSync(unitFolder).sort();
const text = (unit: string) => readFileSync(join(unitFolder, unit), 'utf8');
const watchers = units.filter((unit) => unit.startsWith('vigil-watch-'));
const dependents = units.filter((unit) => !unit.startsWith('vigil-watch-'));

test('systemd accepts every unit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-units-'));
  try {
    // The program is not installed here, and systemd checks that it exists.
    for (const unit of units) writeFileSync(join(folder, unit), text(unit).replaceAll('/usr/bin/vigil', '/bin/true'));
    const command = testServerUrl('systemd');
    // The recipe for units of Watcher's packages.
    const [, recipe = ''] = /```ini\n(# \/etc\/systemd\/.*?)```/s.exec(readFileSync('docs/drop-in.md', 'utf8')) ?? [];
    expect(recipe).toContain('ExecStart=/usr/local/bin/watcher-applier');
    const unit = '[Unit]\nDescription=Watcher applier\n[Service]\nExecStart=/usr/bin/watcher-applier\n';
    writeFileSync(join(folder, 'watcher-applier.service'), unit);
    mkdirSync(join(folder, 'watcher-applier.service.d'));
    const dropIn = recipe.replaceAll('/usr/local/bin/watcher-applier', '/bin/true');
    writeFileSync(join(folder, 'watcher-applier.service.d/vigil.conf'), dropIn);
    const paths = [...units, 'watcher-applier.service'].map((name) => join(folder, name));
    const reported = await run(command, ['verify', '--man=no', ...paths], { timeout: 170_000 });
    // Complaints about other units are not our faults.
    expect(reported.stderr.split('\n').filter((line) => /vigil|watcher/.test(line))).toEqual([]);
    writeFileSync(join(folder, 'vigil-api.service'), '[Service]\nExecStart=/no/such/program\n');
    await expect(run(command, ['verify', '--man=no', join(folder, 'vigil-api.service')])).rejects.toThrow();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('every unit is hardened: exposure of at most 2.5 for systemd-analyze security', async () => {
  const command = testServerUrl('systemd');
  for (const unit of units) {
    const args = ['security', '--offline=true', '--no-pager', join(unitFolder, unit)];
    const { stdout } = await run(command, args, { timeout: 60_000 });
    const [, exposure] = /^.*Overall exposure level for \S+: ([\d.]+)/m.exec(stdout) ?? [];
    expect(Number(exposure), unit).toBeGreaterThan(0);
    expect(Number(exposure), unit).toBeLessThanOrEqual(2.5);
  }
});

test('a watcher waits before it counts as started, and its dependents live and die with it', () => {
  expect(watchers).toHaveLength(4);
  for (const unit of watchers) {
    const target = unit.replace(/^vigil-watch-(.*)\.service$/, '$1');
    expect(text(unit)).toContain(`ExecStartPre=/usr/bin/vigil watch ${target} wait\n`);
    expect(text(unit)).toContain(`ExecStart=/usr/bin/vigil watch ${target} check\n`);
    expect(text(unit)).toContain('Restart=on-failure\n');
    expect(text(unit)).toContain('TimeoutStartSec=infinity\n');
  }
  for (const unit of dependents) {
    const [, watcher] = /^BindsTo=(.*)$/m.exec(text(unit)) ?? [];
    expect(watchers).toContain(watcher);
    expect(text(unit)).toContain(`After=${watcher}\n`);
    expect(text(unit)).toMatch(new RegExp(`^WantedBy=.*${watcher}$`, 'm'));
  }
});

test('only a configuration that cannot be used ends a process permanently; a taken name is tried again', () => {
  expect(dependents).toHaveLength(5);
  for (const unit of units) expect(text(unit)).toMatch(/^Restart=on-failure$/m);
  for (const unit of dependents)
    expect(text(unit).match(/^RestartPreventExitStatus=.*$/gm)).toEqual(['RestartPreventExitStatus=78']);
});

interface Container {
  name: string;
  args: string[];
  readinessProbe?: object;
  livenessProbe?: object;
}

test('Kubernetes: every process waits in an init container, follows /readyz and is restarted by /healthz only', () => {
  const documents = parseAllDocuments(readFileSync('deploy/kubernetes/vigil.yaml', 'utf8'));
  for (const document of documents) expect(document.errors).toEqual([]);
  const deployments = documents
    .map((document) => document.toJS() as { kind: string; metadata: { name: string }; spec: never })
    .filter(({ kind }) => kind === 'Deployment');
  expect(deployments.map(({ metadata }) => `${metadata.name}.service`).sort()).toEqual(dependents);
  for (const { spec } of deployments) {
    const pod = (spec as { template: { spec: { initContainers: Container[]; containers: Container[] } } }).template
      .spec;
    expect(pod.initContainers[0]?.args).toEqual(['vigil', 'watch', expect.any(String), 'wait']);
    expect(JSON.stringify(pod.containers[0]?.readinessProbe)).toContain('/readyz');
    expect(JSON.stringify(pod.containers[0]?.livenessProbe)).toContain('/healthz');
  }
});
