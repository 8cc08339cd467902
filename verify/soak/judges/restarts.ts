import { type Fault, type SoakRecord, timeOf } from '../record.ts';

/** Finds processes that ended although the soak neither killed nor froze them. One fault an end. */
export function judgeRestarts({ ends }: SoakRecord): Fault[] {
  return ends
    .filter(({ bySchedule }) => !bySchedule)
    .map((end) => ({
      atMs: end.atMs,
      text: `${timeOf(end.atMs)} ${end.name} (pid ${end.pid}) ended with exit code ${end.exitCode ?? 'none'}`,
      ids: [],
      evidence: end,
    }));
}
