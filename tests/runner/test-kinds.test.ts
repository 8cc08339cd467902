import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fastWalks, kindOf, kindsOf, testKinds } from './test-kinds.ts';

const roots = ['libs', 'services', 'migrations', 'examples', 'bench', 'verify', 'tests'].filter(existsSync);
/** Words before `.test.ts` that describe a plain file. */
const plainWords = ['property'];

it('the walks of the fast stage exist and are of a kind of the second stage', () => {
  expect(fastWalks).not.toEqual([]);
  for (const file of fastWalks) {
    expect(existsSync(file), file).toBe(true);
    expect(kindOf(file).stage, file).toBe('rest');
  }
});

it('every word before .test.ts names a kind', () => {
  const words = roots
    .flatMap((root) => readdirSync(root, { recursive: true, encoding: 'utf8' }))
    .flatMap((file) => /\.([^./]+)\.test\.ts$/.exec(file)?.[1] ?? []);
  expect(words.length).toBeGreaterThan(100);
  expect([...new Set(words)].filter((word) => !Object.hasOwn(testKinds, word))).toEqual(plainWords);
});

it('every kind belongs to a stage or has a command', () => {
  const all = [...kindsOf('fast'), ...kindsOf('rest'), ...kindsOf('command')];
  expect(all.sort()).toEqual(Object.keys(testKinds).sort());
});
