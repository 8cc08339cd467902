// Finds folders that import each other in a circle, where neither contains the other: a step of `npm run check`. Shared
// code belongs in its own folder, or in the one that contains both. Tests and their support do not count.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const notProduct = /\.test\.tsx?$|\/generated\/|\/testing\//;
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'libs', 'services', 'migrations'], {
  encoding: 'utf8',
});
const files = listed.split('\n').filter((file) => /\.tsx?$/.test(file) && !notProduct.test(file));
if (files.length < 500) throw new Error(`only ${files.length} files were found`);

/** Imports of a folder from others: folder, then the imports that lead there. */
const graph = new Map();
for (const file of files) {
  const from = dirname(file);
  for (const [, specifier] of sourceOf(file).matchAll(/(?:from\s+|import\s*\(?\s*)'(\.[^']+)'/g)) {
    const target = join(from, specifier);
    const to = dirname(target);
    if (holds(from, to) || holds(to, from) || notProduct.test(target)) continue;
    const edges = graph.get(from) ?? new Map();
    graph.set(from, edges.set(to, [...(edges.get(to) ?? []), `${file} -> ${target}`]));
  }
}

function sourceOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // Removed on disk, but not in git's index.
  }
}

function holds(outer, inner) {
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** A way from one folder to another, as folders. Null when there is none. */
function wayBetween(start, end) {
  const reached = new Map([[start, null]]);
  for (const folder of reached.keys()) {
    if (folder === end) {
      const way = [];
      for (let at = end; at !== null; at = reached.get(at)) way.unshift(at);
      return way;
    }
    for (const next of graph.get(folder)?.keys() ?? []) if (!reached.has(next)) reached.set(next, folder);
  }
  return null;
}

const told = new Set();
for (const [from, edges] of graph) {
  for (const to of edges.keys()) {
    const back = wayBetween(to, from);
    if (!back || [from, ...back].some((folder) => told.has(folder))) continue;
    for (const folder of back) told.add(folder);
    console.error(`circle of folders: ${[from, ...back].join(' -> ')}`);
    const steps = [from, ...back];
    for (const [index, folder] of steps.slice(1).entries()) {
      for (const line of graph.get(steps[index]).get(folder).slice(0, 3)) console.error(`  ${line}`);
    }
  }
}
if (told.size > 0) process.exitCode = 1;
