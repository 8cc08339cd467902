import { createInterface } from 'node:readline/promises';

/** Asks on the terminal; everything but yes is no, so a closed input is one as well. */
export async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
