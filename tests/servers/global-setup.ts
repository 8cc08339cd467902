import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { neededBy } from '../runner/declared-needs.ts';
import { noteReused } from '../runner/note-reused.ts';
import type { TestNeed } from '../runner/test-kinds.ts';
import { compileForTests } from './compile-for-tests.ts';
import { createConsoleLogger } from './console-logger.ts';
import { serversToStart } from './servers-to-start.ts';
import { startTestServers } from './start-test-servers.ts';
import { type TestServerName, testServerNames, testServerVariables } from './test-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URLs of the test servers. Undefined in a run without the global setup. */
    testServers: Partial<Record<TestServerName, string>> | undefined;
  }
}

/** Needs of the selected test files. In watch mode, of all files. */
async function neededHere(project: TestProject): Promise<ReadonlySet<TestNeed>> {
  const filters = (project.vitest as unknown as { filenamePattern?: string[] }).filenamePattern;
  const { testFiles } = await project.globTestFiles(filters?.map((filter) => filter.replace(/:\d+$/, '')));
  const needs = neededBy(testFiles);
  return project.config.watch ? new Set([...testServerNames, ...needs]) : needs;
}

/**
 * Compiles and starts the declared needs of the selected test files.
 * @returns function that stops the servers
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Vitest removes its folder of compiled files at the end, but not when a signal ends the run.
  process.once('exit', () => rmSync(project.tmpDir, { recursive: true, force: true }));
  const needs = await neededHere(project);
  Object.assign(process.env, await compileForTests(needs, process.env));
  const needed = testServerNames.filter((name) => needs.has(name));
  const names = serversToStart(needed, process.env);
  const given = needed.filter((name) => process.env[testServerVariables[name]]);
  if (given.length > 0) noteReused(`running servers: ${given.join(', ')}`);
  const started = performance.now();
  const servers = await startTestServers(names, createConsoleLogger());
  Object.assign(process.env, servers.variables);
  // The server of this run, which ends with it.
  if (names.includes('postgres') && !project.config.watch) process.env.VIGIL_TEST_KEEP_DATABASES = '1';
  const urls = needed.map((name) => [name, process.env[testServerVariables[name]]]);
  project.provide('testServers', Object.fromEntries(urls));
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  if (names.length > 0) process.stderr.write(`test servers: ${names.join(', ')} are up (${seconds} s)\n`);
  return servers.stop;
}
