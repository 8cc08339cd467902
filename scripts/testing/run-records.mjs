import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Records and outputs of older runs are removed. */
const keptRuns = 30;

/** Folder with one folder for each of the last runs. */
export const recordsFolder = () => process.env.VIGIL_TEST_RUNS_DIR || join('.vigil', 'test-runs');

function runNames(folder) {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

/** Makes the folder of a new run, named after its start and stage, and removes the oldest ones. */
export function createRunFolder(stage, startedAt) {
  const folder = recordsFolder();
  const digits = startedAt.toISOString().replace(/\D/g, '').slice(0, 14);
  const path = join(folder, `${digits}-${stage}-${process.pid}`);
  mkdirSync(path, { recursive: true });
  for (const name of runNames(folder).slice(0, -keptRuns)) rmSync(join(folder, name), { recursive: true, force: true });
  return path;
}

/** Stores the record of a run that has ended. */
export function writeRunRecord(runFolder, record) {
  writeFileSync(join(runFolder, 'run.json'), `${JSON.stringify(record, null, 2)}\n`);
}

/** Records of the last runs, oldest first. An interrupted run has none. */
export function readRunRecords() {
  const folder = recordsFolder();
  return runNames(folder).flatMap((name) => {
    const file = join(folder, name, 'run.json');
    return existsSync(file) ? [JSON.parse(readFileSync(file, 'utf8'))] : [];
  });
}
