// `npm run test:flaky`: tests of the last runs that failed and passed when they ran alone. `--json` prints the records.
import { readRunRecords } from './testing/run-records.mjs';

const records = readRunRecords();
const flaky = records.flatMap(({ startedAt, node, load, stages, flaky: files }) =>
  files.map(({ file, tests, outputs }) => ({ file, tests, outputs, startedAt, node, load, stages })),
);

if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ runs: records.length, flaky }, null, 2));
} else if (flaky.length === 0) {
  console.log(`no flaky test in the last ${records.length} runs`);
} else {
  console.log(`flaky tests in the last ${records.length} runs:`);
  for (const file of [...new Set(flaky.map((each) => each.file))]) {
    const times = flaky.filter((each) => each.file === file);
    console.log(`\n${file}: ${times.length} of ${records.length} runs`);
    for (const { startedAt, load, tests, outputs } of times) {
      console.log(`  ${startedAt} (load ${load[0].toFixed(1)}): ${tests.join('; ')}`);
      for (const output of outputs) console.log(`    ${output}`);
    }
  }
}
