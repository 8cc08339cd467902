// Finds neighbours in the tree that import each other in a circle: a step of `npm run check`. At every level of
// folders, the neighbours are the subfolders and the files of one folder. A subfolder stands for everything below it.
// Shared code belongs in its own folder, or beside both of its users. Tests and their support do not count.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const notProduct = /\.test\.tsx?$|\/generated\/|\/testing\//;
const listed = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', 'libs', 'services', 'migrations', 'bench', 'verify'],
  {
    encoding: 'utf8',
  },
);
const files = listed.split('\n').filter((file) => /\.tsx?$/.test(file) && !notProduct.test(file));
if (files.length < 500) throw new Error(`only ${files.length} files were found`);

/** By folder: the imports between its neighbours. By neighbour: imported neighbours, with the lines. */
const levels = new Map();
for (const file of files) {
  for (const [, specifier] of sourceOf(file).matchAll(/(?:from\s+|import\s*\(?\s*)'([.#][^']+)'/g)) {
    const target = targetOf(file, specifier);
    if (target !== null && !notProduct.test(target)) note(file, target);
  }
}

function sourceOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // Removed on disk, but not in git's index.
  }
}

function targetOf(file, specifier) {
  if (specifier.startsWith('.')) return join(dirname(file), specifier);
  if (specifier === '#migrations') return 'migrations/index.ts';
  return specifier.startsWith('#libs/') ? `${specifier.slice(1)}/index.ts` : null;
}

function note(file, target) {
  const [from, to] = [file.split('/'), target.split('/')];
  let depth = 0;
  while (depth < from.length - 1 && depth < to.length - 1 && from[depth] === to[depth]) depth += 1;
  if (from[depth] === to[depth]) return;
  const folder = from.slice(0, depth).join('/');
  const graph = levels.get(folder) ?? new Map();
  const edges = graph.get(from[depth]) ?? new Map();
  edges.set(to[depth], [...(edges.get(to[depth]) ?? []), `${file} -> ${target}`]);
  levels.set(folder, graph.set(from[depth], edges));
}

/** A way from one neighbour to another. Null when there is none. */
function wayBetween(graph, start, end) {
  const reached = new Map([[start, null]]);
  for (const room of reached.keys()) {
    if (room === end) {
      const way = [];
      for (let at = end; at !== null; at = reached.get(at)) way.unshift(at);
      return way;
    }
    for (const next of graph.get(room)?.keys() ?? []) if (!reached.has(next)) reached.set(next, room);
  }
  return null;
}

let circles = 0;
for (const [folder, graph] of levels) {
  const reported = new Set();
  for (const [from, edges] of graph) {
    for (const to of edges.keys()) {
      const back = wayBetween(graph, to, from);
      if (!back || back.some((room) => reported.has(room))) continue;
      for (const room of back) reported.add(room);
      circles += 1;
      report(folder, graph, [from, ...back]);
    }
  }
}

function report(folder, graph, way) {
  console.error(`circle in ${folder || 'the root'}: ${way.join(' -> ')}`);
  for (const [index, room] of way.slice(1).entries()) {
    for (const line of graph.get(way[index]).get(room).slice(0, 3)) console.error(`  ${line}`);
  }
}

console.log(`${circles} circles at ${levels.size} levels`);
if (circles > 0) process.exitCode = 1;
