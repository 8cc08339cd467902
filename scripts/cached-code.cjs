// Loads the modules of dist/bundle with V8's cached code: compilation is half of the cost of starting a process. A
// process writes the code that it compiled at its end, unless another process was earlier.
'use strict';
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname } = require('node:path');
const vm = require('node:vm');
const { threadId } = require('node:worker_threads');

/** Scripts that are not written yet, by file name. */
const compiled = new Map();

/**
 * Cached code cannot import modules at run time. The only such import, in the text of a function of TypeORM, reads
 * configuration files that Vigil does not have.
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
