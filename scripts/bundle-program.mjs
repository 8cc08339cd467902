// Joins the compiled `vigil` command and all its imports into a few files in dist/bundle. A process that loads two
// thousand separate modules spends a second of processor time on it, and the tests start hundreds. Only tests run the
// bundle. The package has the compiled modules. V8's code of the bundle is stored beside it. Does nothing when no
// input has changed.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const output = 'dist/bundle';
const stamp = 'dist/.bundle-sources';
const loader = 'cached-code.cjs';
const scripts = ['scripts/bundle-program.mjs', `scripts/${loader}`];
const parts = ['dist/libs', 'dist/migrations', 'dist/services', 'package-lock.json', ...scripts];
const worker = 'dist/services/decision-engine/strategy-runner/strategy-worker.js';
/**
 * Programs and threads. A URL of one of these names its place in the bundle, where a file with the text of `load` loads
 * the bundled `main`.
 */
const entries = {
  vigil: {
    file: resolve('dist/services/vigil.js'),
    main: 'dist/services/run-vigil.js',
    load: (main) =>
      `require('./${main}').runVigil(process.argv.slice(2)).then((exitCode) => { process.exitCode = exitCode; });`,
  },
  'strategy-worker': {
    file: resolve(worker),
    main: worker,
    load: (main) => `module.exports = require('./${main}');`,
  },
};
/** Finds the file of its worker threads beside it. */
const withFiles = ['piscina'];
/** Reads its pages from files beside it, whose names are inserted. */
const withPages = '/node_modules/@fastify/swagger-ui/';

function* filesOf(path) {
  if (/\.(json|mjs|cjs)$/.test(path)) return yield path;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) yield* filesOf(inside);
    else if (/\.js$/.test(entry.name) && !/\.test\.js$/.test(entry.name)) yield inside;
  }
}

function digest() {
  const hash = createHash('sha256').update(process.version);
  for (const file of parts.flatMap((part) => [...filesOf(part)]).sort())
    hash.update(`${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

/**
 * Packages that read their own files stay imports. So do packages that are not installed, such as TypeORM's optional
 * drivers.
 */
function isLeft(id) {
  return withFiles.includes(id);
}

/**
 * Creates a `Response` to detect Cloudflare. For that, Node 20 loads its own fetch, which Vigil does not use.
 */
const withGuess = { file: '/node_modules/pg/lib/stream.js', guess: "typeof Response === 'function'" };
/** Loads mocks, caches, web sockets and Node's fetch at every start. The bundle has only the parts that Vigil uses. */
const httpIndex = {
  file: '/node_modules/undici/index.js',
  used: `Object.assign(require('./lib/dispatcher/dispatcher').prototype, require('./lib/api'));
    exports.Agent = require('./lib/dispatcher/agent');
    Object.defineProperty(exports, 'fetch', { enumerable: true, get: () => require('./lib/web/fetch').fetch });`,
};

/** Each module keeps its former URL and folder, except for the URLs of entries. */
const ownUrls = {
  name: 'own-urls',
  transform(code, id) {
    if (id.endsWith(httpIndex.file)) return httpIndex.used;
    if (id.endsWith(withGuess.file)) return code.replace(withGuess.guess, 'false');
    if (id.includes(withPages)) return code.replaceAll('__dirname', JSON.stringify(dirname(id)));
    if (!code.includes('import.meta.url') || !id.startsWith(resolve('dist'))) return null;
    const bundled = code.replaceAll(/new URL\('([^']+)', import\.meta\.url\)/g, (text, path) => {
      const target = resolve(dirname(id), path.replace(/\.ts$/, '.js'));
      const entry = Object.entries(entries).find(([, { file }]) => file === target);
      return entry ? `new URL('./${entry[0]}.js', import.meta\0.url)` : text;
    });
    const own = `new URL('${relative(output, id)}', import.meta.url).href`;
    return bundled.replaceAll('import.meta.url', own).replaceAll('import.meta\0.url', 'import.meta.url');
  },
};

const sources = digest();
const isThere = existsSync(join(output, 'vigil.js')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;
if (isThere) console.log('reused: the bundled command');
else {
  rmSync(stamp, { force: true });
  // The version that Vite uses.
  const { rolldown } = await import(
    pathToFileURL(createRequire(resolve('node_modules/vite/index.js')).resolve('rolldown'))
  );
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, { main }]) => [name, main])),
    platform: 'node',
    external: isLeft,
    plugins: [ownUrls],
    logLevel: 'silent',
  });
  rmSync(output, { recursive: true, force: true });
  const comments = { legal: false, annotation: false, jsdoc: false };
  // V8 detects code of another text only by its length, so the file names contain a hash of the contents.
  const names = { entryFileNames: '[name]-[hash].cjs', chunkFileNames: '[name]-[hash].cjs' };
  const written = await bundle.write({ dir: output, format: 'cjs', ...names, comments });
  await bundle.close();
  copyFileSync(`scripts/${loader}`, join(output, loader));
  writeFileSync(join(output, 'package.json'), '{ "type": "commonjs" }\n');
  for (const [name, { load }] of Object.entries(entries)) {
    const main = written.output.find((chunk) => chunk.isEntry && chunk.name === name);
    writeFileSync(join(output, `${name}.js`), `require('./${loader}');\n${load(main.fileName)}\n`);
  }
  writeFileSync(stamp, sources);
}
