export type { TestStack, TestStackOptions } from './test-stack.ts';
export { startTestStack } from './test-stack.ts';
export type { VigilProcess } from './vigil-process.ts';
export { compiledProgram, runVigil, startVigil } from './vigil-process.ts';
