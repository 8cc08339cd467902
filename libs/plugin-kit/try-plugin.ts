import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { messageOf } from '#libs/domain';
import { type FindOtherWriter, findTrustedEntry } from './plugin-entry.ts';
import { placeOfSyntaxError } from './syntax-error-place.ts';

/** How long a plugin may take to load, in milliseconds. */
export const trialTimeLimitMs = 10_000;

/** End of a trial. `syntaxError` is the stack of an error that may lack the place in the source. */
type TrialEnd = { reason: string | null; syntaxError?: string };

const unending = { reason: 'it never ends loading: it awaits a promise that nothing settles' } satisfies TrialEnd;

/** Program of the thread: plain JavaScript, because a thread cannot be given a function. */
const trial = `
  const { parentPort, workerData } = require('node:worker_threads');
  let isLoaded = false;
  // A thread that nothing keeps busy gets here. One that ends its process does not.
  process.once('beforeExit', () => {
    if (!isLoaded) parentPort.postMessage(${JSON.stringify(unending)});
  });
  import(workerData).then((module) => {
    for (const plugin of Array.isArray(module.plugins) ? module.plugins : []) {
      if (plugin?.kind === 'scoring_container') plugin.engines?.();
    }
    isLoaded = true;
    parentPort.postMessage({ reason: null });
  }).catch((error) => {
    isLoaded = true;
    const syntaxError = error instanceof SyntaxError ? String(error.stack) : undefined;
    parentPort.postMessage({ reason: String(error?.message ?? error), syntaxError });
  });
`;

/**
 * Loads a plugin in a separate thread, which is ended afterwards. Returns why it cannot be loaded: it is missing,
 * throws (a syntax error with file, line and column), hangs, ends its process, or others could have written it.
 * Undefined when it can. Exports are not checked.
 */
export async function tryPlugin(
  specifier: string,
  options: { timeLimitMs: number; findOtherWriter: FindOtherWriter },
): Promise<string | undefined> {
  let entry: string;
  try {
    entry = findTrustedEntry(specifier, process.cwd(), options.findOtherWriter);
  } catch (error) {
    return messageOf(error);
  }
  const moduleUrl = pathToFileURL(entry).href;
  const { reason, syntaxError } = await runTrial(moduleUrl, options.timeLimitMs);
  if (reason === null) return undefined;
  const place = syntaxError === undefined ? null : await placeOfSyntaxError(moduleUrl, syntaxError);
  const where = place === null ? '' : `syntax error at ${place}: `;
  return `plugin ${specifier}: ${entry} cannot be loaded: ${where}${reason}`;
}

async function runTrial(moduleUrl: string, timeLimitMs: number): Promise<TrialEnd> {
  const worker = new Worker(trial, { eval: true, workerData: moduleUrl, execArgv: [], stdout: true, stderr: true });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<TrialEnd>((resolve) => {
      worker.once('message', resolve);
      worker.once('error', (error) => resolve({ reason: messageOf(error) }));
      worker.once('exit', (code) => resolve({ reason: `it ends its process while it is loaded (exit code ${code})` }));
      timer = setTimeout(() => resolve({ reason: `it was not loaded after ${timeLimitMs / 1000} s` }), timeLimitMs);
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
