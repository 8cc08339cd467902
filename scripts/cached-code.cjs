// Loads the modules of dist/bundle with the code that V8 has made of them before: compiling them is half of what it
// costs to start a process. What was compiled in a process is written when that process ends, if nobody was earlier.
'use strict';
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname } = require('node:path');
const vm = require('node:vm');
const { threadId } = require('node:worker_threads');

/** Scripts that are not written yet, by file name. */
const compiled = new Map();

/**
 * Cached code cannot import anything while it runs. The one in TypeORM's text of a function reads files of a
 * configuration that nobody has.
 */
function mayImport(source) {
  return source.replaceAll(/Function\("[^"]*"\)/g, '').includes('import(');
}

function codeOf(file) {
  try {
    return readFileSync(`${file}.code`);
  } catch {
    return undefined;
  }
}

Module._extensions['.cjs'] = (module, file) => {
  const source = readFileSync(file, 'utf8');
  const cachedData = codeOf(file);
  // None was written for those.
  if (cachedData === undefined && mayImport(source)) return module._compile(source, file);
  const script = new vm.Script(Module.wrap(source), { filename: file, cachedData });
  if (script.cachedDataRejected !== false) compiled.set(file, script);
  const run = script.runInThisContext();
  run.call(module.exports, module.exports, Module.createRequire(file), module, file, dirname(file));
};

process.once('exit', () => {
  for (const [file, script] of compiled) {
    const own = `${file}.${process.pid}-${threadId}`;
    try {
      writeFileSync(own, script.createCachedData());
      renameSync(own, `${file}.code`);
    } catch {
      // A later process does it.
    }
  }
});
