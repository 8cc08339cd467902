import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const casts = [
  'export const whole = (value: unknown) => value as unknown as string;',
  'export const answered = async (call: Promise<never>) => (await dataOf(call)) as string;',
];
const judged = ['services/dashboard/planted.tsx', 'services/cli/commands/planted.ts', 'services/cli/output/planted.ts'];
const left = ['services/cli/planted.ts', 'services/cli/commands/planted.test.ts', 'services/api/planted.ts'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-lint-'));
  for (const part of ['biome.json', 'scripts/lint']) cpSync(part, join(folder, part), { recursive: true });
  for (const file of [...judged, ...left]) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), `${casts.join('\n')}\n`);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('refuses a cast of API responses in dashboard and command line, and nowhere else', () => {
  const options = ['--vcs-enabled=false', '--max-diagnostics=none', '--reporter=github'];
  const biome = resolve('node_modules/.bin/biome');
  const { stdout, status } = spawnSync(biome, ['lint', ...options, '.'], { cwd: folder, encoding: 'utf8' });
  const refused = stdout.split('\n').filter((line) => line.includes('Do not cast responses of the API'));
  const files = judged.flatMap((file) => casts.map(() => file));
  expect(refused.map((line) => /file=[^,]*(services[^,]+)/.exec(line)?.[1]).sort()).toEqual(files.sort());
  expect(status).toBe(1);
});
