import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runPart } from './run-part.mjs';

const vitest = 'node_modules/vitest/vitest.mjs';
/** More failing files than this have a common cause. */
const mostRepeated = 8;

const countsOf = (files) => {
  const sum = (key) => files.reduce((total, file) => total + file[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
};

/** The report that tests/runner/run-reporter.ts wrote there, or null when Vitest did not reach its end. */
function readResult(folder) {
  const file = join(folder, 'result.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

async function runVitest(name, folder, args, options) {
  mkdirSync(folder, { recursive: true });
  const env = { ...options.env, VIGIL_TEST_RESULT_DIR: folder };
  const part = await runPart(name, [vitest, 'run', ...args], { ...options, env });
  return { part, result: readResult(folder) };
}

/** Runs each failed file alone, and returns those that pass, with the folders of both outputs. */
async function repeatFiles(failed, runFolder, args, env) {
  const flaky = [];
  const parts = [];
  for (const { file, failedTests, output } of failed) {
    console.log(`\n${file} has failed and is run once more alone`);
    const folder = join(runFolder, 'repeated', file.replaceAll(/[^\w.-]/g, '-'));
    const options = { env, isCaptured: true };
    const { part, result } = await runVitest(`repeat ${file}`, folder, [...args, file], options);
    const repeated = join(folder, 'output.txt');
    writeFileSync(repeated, part.output);
    parts.push(part);
    const isPassed = part.code === 0 && result?.files.some((each) => each.file === file && each.passed > 0);
    console.log(`${file} ${isPassed ? 'passes: it is flaky' : 'fails again'}`);
    if (isPassed) flaky.push({ file, tests: failedTests, outputs: [output, repeated], counts: countsOf(result.files) });
    else console.log(part.output.trimEnd());
  }
  return { flaky, parts };
}

/**
 * Runs the tests of a stage. A file that fails runs once more alone when `mayRepeat(file)` holds for all failed files.
 * It is flaky when it passes then.
 * @returns exit code, counts of tests, flaky and failed files, and the parts of the run with their times.
 */
export async function runStage(stage, { runFolder, args = [], env = {}, mayRepeat = () => false, signal }) {
  const folder = join(runFolder, stage);
  const { part, result } = await runVitest(`${stage} tests`, folder, ['--project', stage, ...args], { env, signal });
  const files = result?.files ?? [];
  const failed = files.filter(({ isFailed }) => isFailed);
  const first = { code: part.code, counts: countsOf(files), flaky: [], failed, parts: [part] };
  const hasOtherErrors = !result || result.unhandledErrors > 0;
  const isRepeated = failed.length > 0 && failed.every(({ file }) => mayRepeat(file));
  if (!isRepeated || hasOtherErrors || signal?.aborted) return first;
  if (failed.length > mostRepeated) {
    console.log(
      `\n${failed.length} files have failed: none is repeated, since more than ${mostRepeated} have a common cause`,
    );
    return first;
  }
  const repeatArgs = ['--project', stage, ...args.filter((argument) => argument.startsWith('-'))];
  const { flaky, parts } = await repeatFiles(failed, runFolder, repeatArgs, env);
  const isFlaky = ({ file }) => flaky.some((each) => each.file === file);
  const stillFailed = failed.filter((each) => !isFlaky(each));
  const kept = countsOf(files.filter((each) => !isFlaky(each)));
  for (const { counts } of flaky) for (const key of Object.keys(kept)) kept[key] += counts[key];
  return {
    code: stillFailed.length > 0 ? part.code : 0,
    counts: kept,
    flaky: flaky.map(({ counts: _, ...rest }) => rest),
    failed: stillFailed,
    parts: [part, ...parts],
  };
}
