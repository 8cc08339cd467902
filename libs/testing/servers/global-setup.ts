import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { createConsoleLogger } from './console-logger.ts';
import { neededServers, serversToStart } from './needed-servers.ts';
import { startTestServers } from './start-test-servers.ts';
import { testServerNames } from './test-server.ts';

/** Starts the servers that the selected test files need and answers the function that stops them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Vitest removes its folder of compiled files at the end, but not when a signal ends the run.
  process.once('exit', () => rmSync(project.tmpDir, { recursive: true, force: true }));
  const { watch } = project.config;
  const filters = (project.vitest as unknown as { filenamePattern?: string[] }).filenamePattern;
  const files = filters?.map((filter) => filter.replace(/:\d+$/, ''));
  const names = watch ? testServerNames : await neededServers((await project.globTestFiles(files)).testFiles);
  const servers = await startTestServers(serversToStart(names, process.env), createConsoleLogger());
  Object.assign(process.env, servers.variables);
  return servers.stop;
}
