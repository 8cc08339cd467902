import { appendFileSync } from 'node:fs';

/** Adds `name` to the reused parts that `npm test` lists at its end. Does nothing in other runs. */
export function noteReused(name: string): void {
  const file = process.env.VIGIL_TEST_REUSED_FILE;
  if (file) appendFileSync(file, `${name}\n`);
}
