import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { relative, resolve, sep } from 'node:path';
import { afterAll, expect, inject } from 'vitest';
import { testServerNames, testServerVariables } from '../servers/test-server.ts';
import { declaredNeeds } from './declared-needs.ts';
import { builtParts } from './test-kinds.ts';

// A file sees the servers that it declares and no others, so that it also passes when it runs alone.
const file = expect.getState().testPath ?? '';
const needs = declaredNeeds(file);
const servers = inject('testServers');
process.env.VIGIL_TEST_NEEDS = [...needs].join(',');
if (servers) {
  for (const name of testServerNames) {
    const url = needs.has(name) ? servers[name] : undefined;
    if (url) process.env[testServerVariables[name]] = url;
    else delete process.env[testServerVariables[name]];
  }
}

if (servers && !builtParts.some((part) => needs.has(part))) {
  const dist = resolve('dist') + sep;
  const started: ChildProcess[] = [];
  const note = (message: unknown) => void started.push((message as { process: ChildProcess }).process);
  subscribe('child_process', note);
  afterAll(() => {
    unsubscribe('child_process', note);
    const runsCompiled = ({ spawnargs }: ChildProcess) =>
      spawnargs?.some((argument) => argument.includes(dist) || /^dist\//.test(argument));
    if (!started.some(runsCompiled)) return;
    const name = relative(process.cwd(), file);
    throw new Error(`${name} starts compiled code: declare that by a line "// @needs build" at the top of the file`);
  });
}
