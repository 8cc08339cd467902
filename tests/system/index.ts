export { cloudEnv } from './cloud-env.ts';
export type { VigilProcess } from './vigil-process.ts';
export { compiledProgram, startVigil } from './vigil-process.ts';
