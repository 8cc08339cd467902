import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { messageOf } from '#libs/domain';
import { type FindOtherWriter, findTrustedEntry } from './plugin-entry.ts';

/** How long a plugin may take to load, in milliseconds. */
export const trialTimeLimitMs = 10_000;

/** Program of the thread: plain JavaScript, because a thread cannot be given a function. */
const trial = `
  const { parentPort, workerData } = require('node:worker_threads');
  import(workerData).then((module) => {
    for (const plugin of Array.isArray(module.plugins) ? module.plugins : []) {
      if (plugin?.kind === 'scoring_container') plugin.engines?.();
    }
    parentPort.postMessage(null);
  }).catch((error) => parentPort.postMessage(String(error?.message ?? error)));
`;

/**
 * Loads a plugin in a separate thread, which is ended afterwards. Returns why it cannot be loaded: it is missing,
 * throws,
 * hangs, ends its process, or others could have written it. Undefined when it can. Exports are not checked.
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
  const reason = await runTrial(pathToFileURL(entry).href, options.timeLimitMs);
  return reason === null ? undefined : `plugin ${specifier}: ${entry} cannot be loaded: ${reason}`;
}

async function runTrial(moduleUrl: string, timeLimitMs: number): Promise<string | null> {
  const worker = new Worker(trial, { eval: true, workerData: moduleUrl, execArgv: [], stdout: true, stderr: true });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string | null>((resolve) => {
      worker.once('message', resolve);
      worker.once('error', (error) => resolve(messageOf(error)));
      worker.once('exit', () => resolve('it ends its process, or never ends loading'));
      timer = setTimeout(() => resolve(`it was not loaded after ${timeLimitMs / 1000} s`), timeLimitMs);
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
