import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { trimClassMap, trimStyles } from './trim-styles.ts';
import { readUsedClasses } from './used-classes.ts';

/**
 * Largest scripts and styles of the first load of a page, in bytes of brotli. The document, the headers, the responses
 * of the API and the first state of the stream take up to 28 kB more (`npm run bench -- dashboard`).
 */
const firstLoads: Record<string, { budgetBytes: number; modules: readonly string[] }> = {
  overview: { budgetBytes: 220_000, modules: ['pages/overview/overview-page.tsx'] },
  audits: { budgetBytes: 219_000, modules: ['pages/audits/audits-page.tsx'] },
  plans: { budgetBytes: 222_600, modules: ['pages/plans/plans-page.tsx'] },
};
const compressible = /\.(js|css|svg)$/;
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const here = fileURLToPath(new URL('.', import.meta.url));
const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));
const isUsed = readUsedClasses(here, packages);

/** Runs while the code of the frame loads: it reads the session and the first data. */
const startParts = [
  '/dashboard/(main|page-loaders|api/[^/]+|shell/(first-reads|session-data|theme|values-in-path))\\.ts$',
  '/dashboard/live/(plan-queries|stream-query|live-store|live-kinds)\\.ts$',
  '/dashboard/components/(forecasts-without-plan|strip-quantity)\\.ts$',
  '/dashboard/texts/(texts|languages|language-names|en/(index|charts|common|forms|overview|session|shell|tables))\\.ts$',
  '/libs/client/[^/]+\\.ts$',
  '/node_modules/(openapi-fetch|eventsource-parser)/|/query-core/build/modern/(?!.*Observer)',
  'vite/preload-helper',
  '/dashboard/[^/]+\\.css$|/styles/base\\.css$',
];

/** Parts of a plan in a list: pages share them, and each separate file costs half a kilobyte of headers. */
const planRows =
  /components\/(effect|facts|plan-progress|plan-state|side-effects|plan-headline|headline-parts|host-strip|chart-axes|plan-counts|duration-phrase|host-map\/scale-of)\.tsx?$|outcome-rows\.ts$/;

/** Chunks of parts that pages share are named after all these pages: each import would repeat the name. */
const nameOfFile = (name: string) => (name.startsWith('later~') ? 'part' : name);

export default defineConfig({
  root: here,
  // Relative, so that the page's <base> decides, below any path of a proxy.
  base: './',
  plugins: [react(), replaceImports(), trimClassMaps(), preloadFrame(), compressAndWeigh(), listBundledPackages()],
  resolve: {
    conditions: ['vigil-source', 'module', 'browser', 'default'],
    // Its exports name only the build with warnings for developers.
    alias: [{ find: /^react-router$/, replacement: join(packages, 'react-router/dist/production/index.mjs') }],
  },
  css: {
    postcss: { plugins: [trimStyles(here, packages, isUsed)] },
  },
  define: { __VIGIL_VERSION__: JSON.stringify(version) },
  build: {
    outDir: fileURLToPath(new URL('../../dist/dashboard', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // Styles and fonts as data: URLs would need exceptions in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    // Few files: each costs half a kilobyte of headers, and shares no words with the others when it is compressed.
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${nameOfFile(name)}-[hash].js`,
        assetFileNames: ({ names: [name = ''] }) => `assets/${nameOfFile(parse(name).name)}-[hash][extname]`,
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'start', test: new RegExp(startParts.join('|')), priority: 2 },
            { name: 'common', minShareCount: 12, priority: 1 },
            { name: 'plan-rows', test: planRows },
            { name: 'later', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 4000 },
          ],
        },
      },
    },
  },
});

/** Imports of PatternFly's components that the dashboard replaces, by importer: the import and the file for it. */
const replacedImports: Record<string, [source: string, file: string]> = {
  'Page/Page.js': ['../Drawer', 'lazy-parts.tsx'],
  'SearchInput/SearchInput.js': ['./AdvancedSearchMenu', 'lazy-parts.tsx'],
  'react-popper/usePopper.js': ['../popper-core/popper', 'lazy-popper.ts'],
  'Table/HeaderCellInfoWrapper.js': ['@patternfly/react-core/dist/esm/components/Popover', 'lazy-parts.tsx'],
  'Table/Td.js': ['./base/merge-props', 'merge-props.ts'],
  'Table/Th.js': ['./base/merge-props', 'merge-props.ts'],
};

/** Fails the build when an import no longer exists: its code would be in the first load again. */
function replaceImports(): Plugin {
  const found = new Set<string>();
  return {
    name: 'vigil-replace-imports',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer = '') {
      if (!importer.includes('/@patternfly/')) return null;
      const entries = Object.entries(replacedImports);
      const [name = '', [wanted, file] = ['', '']] = entries.find(([known]) => importer.endsWith(`/${known}`)) ?? [];
      if (wanted !== source) return null;
      found.add(name);
      return join(here, 'components', file);
    },
    buildEnd() {
      const missing = Object.keys(replacedImports).filter((name) => !found.has(name));
      if (missing.length > 0) this.error(`PatternFly has no longer the replaced imports of ${missing.join(', ')}`);
    },
  };
}

/** Removes unused entries from PatternFly's maps of classes. */
function trimClassMaps(): Plugin {
  return {
    name: 'vigil-trim-class-maps',
    apply: 'build',
    enforce: 'pre',
    transform: (source, id) =>
      /@patternfly\/react-styles\/css\/.*\.m?js$/.test(id) ? { code: trimClassMap(source, isUsed), map: null } : null,
  };
}

/**
 * Links the code and the styles of the frame in the document: they load with the code that starts it. The styles of
 * the dashboard follow those of shared components, and precede those of the frame alone.
 */
function preloadFrame(): Plugin {
  return {
    name: 'vigil-preload-frame',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = [...loadedBefore(bundle, ['app.tsx'])].filter((name) => !html.includes(name));
        const isLast = (name: string) => name.endsWith('.css') && parse(name).name.startsWith('app-');
        const linkTo = (name: string) => {
          const rel = name.endsWith('.css') ? 'stylesheet' : 'modulepreload';
          return `<link rel="${rel}" crossorigin href="./${name}">`;
        };
        const shared = files.filter((name) => !isLast(name)).map(linkTo);
        return html
          .replace('<link rel="stylesheet"', (styles) => [...shared, styles].join('\n    '))
          .replace('</head>', (end) => `  ${[...files.filter(isLast).map(linkTo), end].join('\n  ')}`);
      },
    },
  };
}

/** Replaces each file by two compressed ones, and fails the build if the first load exceeds its budget. */
function compressAndWeigh(): Plugin {
  return {
    name: 'vigil-compress-and-weigh',
    apply: 'build',
    enforce: 'post',
    // Not earlier: Vite still changes the chunks while they are generated.
    writeBundle({ dir = '.' }, bundle) {
      for (const [name, file] of Object.entries(bundle)) {
        if (!compressible.test(name)) continue;
        const source = sourceOf(file);
        writeFileSync(join(dir, `${name}.gz`), gzipSync(source, { level: 9 }));
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(source, { params }));
        rmSync(join(dir, name));
      }
      for (const [page, { budgetBytes, modules }] of Object.entries(firstLoads)) {
        const files = loadedBefore(bundle, ['main.ts', 'app.tsx', ...modules]);
        const total = [...files].reduce((sum, name) => sum + statSync(join(dir, `${name}.br`)).size, 0);
        if (total > budgetBytes)
          this.error(`the first load of ${page} is ${total} compressed bytes; the budget is ${budgetBytes}`);
        this.info(`first load of ${page}: ${total} bytes of compressed scripts and styles`);
      }
    },
  };
}

/** Reports the packages in the bundle to the bill of materials, by their place in package-lock.json. */
function listBundledPackages(): Plugin {
  return {
    name: 'vigil-list-bundled-packages',
    apply: 'build',
    writeBundle({ dir = '.' }) {
      const places = [...this.getModuleIds()].flatMap((id) => {
        const place = /^.*?\/(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
        return place === undefined ? [] : [place];
      });
      writeFileSync(join(dir, 'bundled-packages.json'), JSON.stringify([...new Set(places)].sort()));
    },
  };
}

type Bundle = Parameters<Extract<NonNullable<Plugin['writeBundle']>, (...args: never[]) => unknown>>[1];

function sourceOf(file: Bundle[string]): string | Uint8Array {
  return file.type === 'chunk' ? file.code : file.source;
}

/** All scripts and styles that are loaded before these modules of the dashboard run. */
function loadedBefore(bundle: Bundle, modules: readonly string[]): ReadonlySet<string> {
  const loaded = new Set<string>();
  const load = (name: string): void => {
    const file = bundle[name];
    if (loaded.has(name) || file?.type !== 'chunk') return;
    loaded.add(name);
    for (const style of file.viteMetadata?.importedCss ?? []) loaded.add(style);
    file.imports.forEach(load);
  };
  for (const file of Object.values(bundle))
    if (file.type === 'chunk' && modules.some((name) => file.facadeModuleId === join(here, name))) load(file.fileName);
  return loaded;
}
