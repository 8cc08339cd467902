import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Logger } from '#libs/domain';
import { reachEmbeddedPostgres } from '#libs/service-kit/embedded';
import { commonEnv, parseEnv, text } from '#libs/service-kit/env';

const dataEnv = {
  ...commonEnv,
  VIGIL_DATA_DIR: text({ default: '.vigil', description: 'Folder of the embedded database.' }),
};

/**
 * Runs `work` on the database of VIGIL_DATABASE_URL, or on the embedded one. The embedded database is started
 * temporarily unless `vigil up` runs.
 * @throws OperatorError when there is neither
 */
export async function withDatabase<T>(logger: Logger, work: (url: string) => Promise<T>): Promise<T> {
  const { VIGIL_DATABASE_URL, VIGIL_DATA_DIR } = parseEnv(dataEnv, process.env);
  if (VIGIL_DATABASE_URL) return work(VIGIL_DATABASE_URL);
  const database = await reachEmbeddedPostgres({ dataDir: join(resolve(VIGIL_DATA_DIR), 'postgres'), logger });
  try {
    return await work(database.url);
  } finally {
    await database.stop();
  }
}

/** Prompts on the terminal. Any reply but yes is no, and so is a closed input. */
export async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const response = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
  terminal.close();
  return /^y(es)?$/i.test(response.trim());
}
