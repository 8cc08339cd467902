import { readFileSync } from 'node:fs';
import { testServerNames } from '../servers/test-server.ts';
import { builtParts, kindOf, type TestNeed } from './test-kinds.ts';

/** A declaration is one of the first lines of a file. */
const firstLines = 5;
const declaration = /^\/\/ @needs (.*)$/m;

const known: readonly TestNeed[] = [...testServerNames, ...builtParts];

/**
 * Needs of a test file: those of its kind, and those in a line such as `// @needs influxdb, build` among its first five
 * lines.
 * @throws Error when the line names an unknown need.
 */
export function declaredNeeds(file: string, text = readFileSync(file, 'utf8')): ReadonlySet<TestNeed> {
  const [, names] = declaration.exec(text.split('\n', firstLines).join('\n')) ?? [];
  const needs = new Set(kindOf(file).needs);
  for (const name of names?.split(',').map((part) => part.trim()) ?? []) {
    const need = known.find((each) => each === name);
    if (!need) throw new Error(`${file}: @needs names the unknown "${name}"; known: ${known.join(', ')}`);
    needs.add(need);
  }
  return needs;
}

/** Needs of all these test files together. */
export function neededBy(files: readonly string[]): ReadonlySet<TestNeed> {
  return new Set(files.flatMap((file) => [...declaredNeeds(file)]));
}
