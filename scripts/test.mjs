// `npm test`: the build, then the checks beside the fast stage of the tests. `--rest` runs the second stage instead,
// without the checks, and `--all` runs both. `--after-fast` adds the tests of the last fast run to the last line.
// `--only-tests` omits build and checks. `--slow-network` delays received data at random. Other arguments are passed to
// Vitest. The record of the run and outputs of failed tests are in .vigil/test-runs.
import { existsSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { runPart } from './testing/run-part.mjs';
import { createRunFolder, readRunRecords, writeRunRecord } from './testing/run-records.mjs';
import { runStage } from './testing/run-stage.mjs';

const own = new Set(['--rest', '--all', '--after-fast', '--only-tests', '--slow-network']);
const flags = new Set(process.argv.filter((argument) => own.has(argument)));
const args = process.argv.slice(2).filter((argument) => !own.has(argument));
const stages = flags.has('--all') ? ['fast', 'rest'] : [flags.has('--rest') ? 'rest' : 'fast'];
/** Tests of the fast stage that run beside servers or processes. Plain and database tests are never repeated. */
const dependsOnProcesses = /\.(contract|simulator|system|e2e)\.\w+\.ts$/;
/** The checks run at this niceness: tests often wait, and the checks use the idle processor time. */
const lowPriority = 5;

const startedAt = new Date();
const runFolder = createRunFolder(stages.join('-and-'), startedAt);
/** Parts that scripts/check.mjs builds, and the file for notes about reused parts. */
const env = { VIGIL_TEST_REUSED_FILE: join(runFolder, 'reused.txt') };
/** Of tests alone: their processes of Node.js inherit the options. */
const testEnv = flags.has('--slow-network') ? { NODE_OPTIONS: withPreloaded('./testing/delay-network.mjs') } : {};
const record = { stages, startedAt, node: process.version, load: loadavg(), code: 0, parts: [], failed: [], flaky: [] };
const counts = { passed: 0, failed: 0, skipped: 0 };

function withPreloaded(file) {
  return `${process.env.NODE_OPTIONS ?? ''} --import ${new URL(file, import.meta.url)}`.trim();
}

function note({ code, parts, failed = [], flaky = [], counts: more = {} }) {
  record.code = Math.max(record.code, code);
  record.parts.push(...parts.map(({ name, ms, processorMs }) => ({ name, ms, processorMs })));
  record.failed.push(...failed);
  record.flaky.push(...flaky);
  for (const key of Object.keys(more)) counts[key] += more[key];
}

async function runChecks(failing) {
  const options = { isCaptured: true, niceness: lowPriority, env };
  const checks = await runPart('checks', ['scripts/check.mjs', '--built'], options);
  console.log(`\n${checks.output.trimEnd()}\n`);
  if (checks.code !== 0) failing.abort();
  return { code: checks.code, parts: [checks] };
}

async function runAll() {
  if (!flags.has('--only-tests')) {
    const build = await runPart('build', ['scripts/check.mjs', '--build'], { env });
    note({ code: build.code, parts: [build] });
    if (build.code !== 0) return;
    env.VIGIL_TEST_BUILT = 'build,dashboard';
  }
  for (const stage of stages) {
    const failing = new AbortController();
    const hasChecks = stage === 'fast' && !flags.has('--only-tests');
    const mayRepeat = (file) => stage === 'rest' || dependsOnProcesses.test(file);
    const tests = runStage(stage, { runFolder, args, env: { ...env, ...testEnv }, mayRepeat, signal: failing.signal });
    const results = await Promise.all([tests, ...(hasChecks ? [runChecks(failing)] : [])]);
    for (const result of results) note(result);
    if (record.code !== 0) return;
  }
}

const seconds = (ms) => `${(ms / 1000).toFixed(0)} s`;

function lastLines() {
  const parts = record.parts.map(
    ({ name, ms, processorMs }) => `  ${name}: ${seconds(ms)}, processor ${seconds(processorMs)}`,
  );
  const reused = existsSync(env.VIGIL_TEST_REUSED_FILE) ? readFileSync(env.VIGIL_TEST_REUSED_FILE, 'utf8').trim() : '';
  const names = [...new Set(reused.split('\n').filter((line) => line !== ''))];
  const load = record.load.map((value) => value.toFixed(1)).join(' ');
  return [
    `parts of this run (Node.js ${process.version}, load at the start ${load}):`,
    ...parts,
    `  in all: ${seconds(Date.now() - startedAt)}, processor ${seconds(record.parts.reduce((sum, part) => sum + part.processorMs, 0))}`,
    `reused: ${names.length > 0 ? names.join('; ') : 'nothing'}`,
    ...record.failed.map(({ file, output }) => `failed: ${file}; output: ${output}`),
    ...record.flaky.map(
      ({ file, outputs }) => `flaky: ${file} failed, and passed when it ran alone; outputs: ${outputs.join(', ')}`,
    ),
  ];
}

/** Tests of the last fast run that passed, for a run that continues it. */
function countsBefore() {
  const before = readRunRecords().findLast((each) => each.stages.join() === 'fast' && each.code === 0);
  return before?.counts ?? {};
}

await runAll();
// A failed build or check, or an interrupted stage, has no failed test. The last line must still report it.
if (record.code !== 0 && counts.failed === 0) counts.failed = 1;
writeRunRecord(runFolder, { ...record, folder: runFolder, seconds: (Date.now() - startedAt) / 1000, counts });
console.log(`\n${lastLines().join('\n')}`);
const before = flags.has('--after-fast') ? countsBefore() : {};
const total = Object.keys(counts).map((key) => `${counts[key] + (before[key] ?? 0)} ${key}`);
console.log(total.join(', '));
process.exitCode = record.code;
