import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { compileForTests } from './compile-for-tests.ts';
import { createConsoleLogger } from './console-logger.ts';
import { neededServers, serversToStart } from './needed-servers.ts';
import { startTestServers } from './start-test-servers.ts';
import { testServerNames } from './test-server.ts';

/**
 * Compiles what tests run as processes, starts the servers that the selected test files need, and answers the function
 * that stops them.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Vitest removes its folder of compiled files at the end, but not when a signal ends the run.
  process.once('exit', () => rmSync(project.tmpDir, { recursive: true, force: true }));
  const { watch } = project.config;
  const filters = (project.vitest as unknown as { filenamePattern?: string[] }).filenamePattern;
  const { testFiles } = await project.globTestFiles(filters?.map((filter) => filter.replace(/:\d+$/, '')));
  Object.assign(process.env, await compileForTests(testFiles, process.env));
  const names = serversToStart(watch ? testServerNames : await neededServers(testFiles), process.env);
  const began = performance.now();
  const servers = await startTestServers(names, createConsoleLogger());
  Object.assign(process.env, servers.variables);
  // Of a run's own server, which ends with the run.
  if (names.includes('postgres') && !watch) process.env.VIGIL_TEST_KEEP_DATABASES = '1';
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  if (names.length > 0) process.stderr.write(`test servers: ${names.join(', ')} are up (${seconds} s)\n`);
  return servers.stop;
}
