import { onInterrupt, reportFatal } from '#libs/service-kit';
import { createNarrator, type Narrator } from './narrator.ts';
import { type DemoOptions, readOptions } from './options.ts';
import { type DemoResult, runLoop } from './run-loop.ts';
import { type DemoStack, startStack } from './stack.ts';

/** `vigil demo`: a full optimization loop on a simulated cloud. Returns the exit code. */
export async function run(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === 'number') return options;
  const narrator = createNarrator({ quiet: options.json, stream: process.stdout });
  const ending = new AbortController();
  const interrupted = new Promise<'interrupted'>((resolve) => {
    ending.signal.addEventListener('abort', () => resolve('interrupted'));
  });
  onInterrupt(() => ending.abort());
  try {
    narrator.say('Starting Vigil with everything embedded …');
    const stack = await startStack(options, { say: narrator.say, signal: ending.signal });
    try {
      const result = await Promise.race([runLoop(stack, narrator), interrupted]);
      if (result === 'interrupted') return 130;
      await finish(result, stack, { options, narrator, interrupted });
      return result.action_plan === 'SUCCEEDED' && result.failed === 0 ? 0 : 1;
    } finally {
      await stack.stop();
    }
  } catch (error) {
    return ending.signal.aborted ? 130 : reportFatal('demo', error);
  }
}

async function finish(
  result: DemoResult,
  stack: DemoStack,
  { options, narrator, interrupted }: { options: DemoOptions; narrator: Narrator; interrupted: Promise<'interrupted'> },
): Promise<void> {
  narrator.say(
    `\nOpen: dashboard ${stack.apiUrl}/dashboard/  API ${stack.apiUrl}/v1  docs ${stack.apiUrl}/docs  metrics ${stack.apiUrl}/metrics`,
  );
  narrator.say(
    `         simulated cloud ${stack.cloudUrl}/simulator/state  Keystone ${stack.cloudUrl}/identity/v3 (user admin, password ${stack.password})`,
  );
  if (!options.exit) {
    narrator.say('Ctrl-C stops everything.');
    await Promise.race([interrupted, stack.exited]);
  }
  if (options.json) process.stdout.write(`${JSON.stringify(result)}\n`);
}
