import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { findStackProcesses } from './process-costs.ts';

/** As `up` it starts itself as `api`, which uses 0.2 s of processor time and 100 MB, and ends on a line of input. */
const program = `
const { spawn } = require('node:child_process');
if (process.argv[2] === 'up') {
  spawn(process.execPath, [__filename, 'api'], { stdio: 'inherit' }).once('exit', () => console.log('ended'));
  setInterval(() => undefined, 1000);
} else {
  const held = Buffer.alloc(100_000_000, 1);
  while (process.cpuUsage().user < 200_000);
  console.log('busy', held.length);
  process.stdin.once('data', () => process.exit());
}
`;

test('costs of the processes of a stack, until one of them ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-costs-'));
  writeFileSync(join(folder, 'vigil.js'), program);
  const up = spawn(process.execPath, [join(folder, 'vigil.js'), 'up'], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const lines = createInterface({ input: up.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toMatch(/^busy/);

    const processes = findStackProcesses(up.pid!);
    const costs = processes.costs();

    expect(Object.keys(costs).sort()).toEqual(['api', 'up']);
    expect(costs.api!.processorSeconds).toBeGreaterThan(0.15);
    expect(costs.api!.peakBytes).toBeGreaterThan(100_000_000);
    expect(costs.up!.peakBytes).toBeGreaterThan(0);
    expect(costs.up!.peakBytes).toBeLessThan(costs.api!.peakBytes!);

    up.stdin.write('end\n');
    expect((await lines.next()).value).toBe('ended');
    expect(() => processes.costs()).toThrow('the process api has ended');
  } finally {
    up.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
