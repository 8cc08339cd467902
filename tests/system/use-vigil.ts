import { atEnd } from '../at-end.ts';
import { startTestStack, type TestStack, type TestStackOptions } from './test-stack.ts';
import { startVigil, type VigilProcess } from './vigil-process.ts';

/** As `startVigil`. The process is killed when the scope ends, see `atEnd`. */
export async function useVigil(args: string[], env: NodeJS.ProcessEnv): Promise<VigilProcess> {
  const started = await startVigil(args, env);
  atEnd(() => started.stop('SIGKILL'));
  return started;
}

/** As `startTestStack`. The stack stops when the scope ends, see `atEnd`. */
export async function useTestStack(options: TestStackOptions = {}): Promise<TestStack> {
  const stack = await startTestStack(options);
  atEnd(stack.stop);
  return stack;
}
