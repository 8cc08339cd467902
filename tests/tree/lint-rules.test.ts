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

it('refuses a promise of an interface that nothing handles', () => {
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { strict: true }, include: ['*.ts'] }),
  );
  writeFileSync(join(folder, 'port.ts'), 'export interface Port {\n  send(): Promise<void>;\n}\n');
  const use = "import type { Port } from './port.ts';\n\nexport async function use(port: Port) {\n";
  writeFileSync(join(folder, 'use.ts'), `${use}  await port.send();\n  void port.send();\n  port.send();\n}\n`);
  const config = resolve('.oxlintrc.json');
  const { stdout, status } = spawnSync(
    resolve('node_modules/.bin/oxlint'),
    ['--config', config, '--type-aware', '--format=github', 'use.ts'],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${resolve('node_modules/.bin')}:${process.env.PATH}` },
    },
  );
  expect(stdout).toMatch(/line=6,.*no-floating-promises/);
  expect(stdout.match(/no-floating-promises/g)).toHaveLength(1);
  expect(status).toBe(1);
});
