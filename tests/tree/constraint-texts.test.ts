import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { constraintReason, keepsInPlace, phraseOf } from '#libs/client';
import { constraintNames, storageConstraintNames } from '#libs/cluster-model';
import { constraintLabel, constraintOf } from '../../services/dashboard/texts/api-names.ts';
import { de, deNames } from '../../services/dashboard/texts/de/index.ts';
import { dePages } from '../../services/dashboard/texts/de/pages.ts';
import { addTexts, setCatalogue } from '../../services/dashboard/texts/texts.ts';
import { useEnglishTexts } from '../browser/texts.ts';

/** Names that strategies report without a query of a model. */
function ownNames(): string[] {
  return readdirSync('libs/strategies', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join('libs/strategies', file), 'utf8').matchAll(/blocked\.add\('([a-z-]+)'/g)])
    .flatMap(([, name]) => name ?? []);
}

const names = [...new Set([...constraintNames, ...storageConstraintNames, ...ownNames()])];

test('every constraint of the models and the strategies has a sentence in English', () => {
  expect(ownNames().length).toBeGreaterThan(10);
  expect(names.filter((name) => constraintReason(name) === phraseOf(name))).toEqual([]);
  expect(constraintReason('manila-share')).toBe('kept where it is: has a Manila share');
  expect(constraintReason('memory')).toBe('too little memory is free');
});

test('constraints of plugins are shown as words', () => {
  expect(constraintReason('my-own_rule')).toBe('my own rule');
  expect(constraintReason('constructor')).toBe('constructor');
  expect(keepsInPlace('toString')).toBe(false);
});

describe('in German', () => {
  beforeEach(() => {
    setCatalogue('de', de, deNames);
    addTexts(dePages);
  });
  // The language is one for all tests of a worker.
  afterEach(useEnglishTexts);

  test('every background task has a name', () => {
    const tasks = [...readFileSync('docs/tasks.md', 'utf8').matchAll(/^## (.+)$/gm)].flatMap(([, name]) => name ?? []);
    expect(tasks.length).toBeGreaterThan(10);
    expect(tasks.filter((task) => !Object.hasOwn(deNames, task))).toEqual([]);
  });

  test('every constraint has a sentence', () => {
    expect(names.filter((name) => deNames[`constraint.${name}`] === undefined)).toEqual([]);
    const known = Object.keys(deNames).flatMap((key) => /^constraint\.(.*)/.exec(key)?.[1] ?? []);
    expect(known.filter((name) => constraintReason(name) === phraseOf(name))).toEqual([]);
    expect(constraintOf('memory')).not.toBe(constraintOf('disk'));
    expect(constraintLabel('manila-share')).toContain(constraintOf('manila-share'));
  });
});
