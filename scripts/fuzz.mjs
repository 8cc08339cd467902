// `npm run fuzz -- --requests N --seed S --json`: odd requests from both OpenAPI documents, with tokens of all roles.
// Exits with 1 when a response is not as documented, reveals internals, or is an unexpected 5xx, or when memory grows.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const number = { type: 'string' };
const { values } = parseArgs({ options: { requests: number, seed: number, json: { type: 'boolean' } } });
const folder = mkdtempSync(join(tmpdir(), 'vigil-fuzz-'));
const file = join(folder, 'report.json');
const env = {
  ...process.env,
  VIGIL_FUZZ_REQUESTS: values.requests ?? '100000',
  VIGIL_FUZZ_SEED: values.seed ?? String(Date.now() % 1_000_000),
  VIGIL_FUZZ_REPORT: file,
};
// Vitest's output is for people. Standard output is for the report.
const { status } = spawnSync('node_modules/.bin/vitest', ['run', 'services/api/testing/fuzz/fuzz.long.test.ts'], {
  stdio: ['ignore', 2, 2],
  env,
});
const passed = status === 0;
// Without a report, the run ended before its last request. Vitest has printed the reason.
const { wrong, ...report } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { seed: env.VIGIL_FUZZ_SEED };
rmSync(folder, { recursive: true });
process.stdout.write(
  values.json
    ? `${JSON.stringify({ passed, ...report, wrong })}\n`
    : `seed ${report.seed}: ${passed ? 'passed' : 'FAILED'}\n`,
);
process.exitCode = status ?? 1;
