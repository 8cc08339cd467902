import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { scriptsIn } from './used-classes.ts';

const imported = /(?:\bfrom|\bimport|\bimport\()\s*['"]([^'"]+)['"]/g;
const importedNames = /\bimport\s+(?:type\s+)?\{([^}]*)\}\s*from\s*['"](@patternfly\/react-(?:core|table))['"]/g;
const exported = /\bexport (?:const|let|var|class|function) (\w+)|\bexport \{([^}]*)\}/g;

/**
 * Returns the style sheets of PatternFly that the dashboard may load: those of the components that it imports, of all
 * files that these import, and so on. They are more than the build keeps, and never fewer.
 * @returns paths below `packages`, such as `@patternfly/react-styles/css/components/Card/card.css`
 */
export function readUsedSheets(dashboard: string, packages: string): ReadonlySet<string> {
  const sheets = new Set<string>();
  const seen = new Set<string>();
  const components = new Map<string, ReadonlyMap<string, string>>();

  function fileOfComponent(name: string, component: string): string | undefined {
    const files = components.get(name) ?? filesByName(join(packages, name, 'dist/esm'));
    components.set(name, files);
    return files.get(component);
  }

  function importsOf(file: string): (string | null | undefined)[] {
    const source = readFileSync(file, 'utf8');
    const byName = [...source.matchAll(importedNames)].flatMap(([, names = '', name = '']) =>
      namesIn(names).map((component) => fileOfComponent(name, component)),
    );
    return [...byName, ...[...source.matchAll(imported)].map(([, target = '']) => fileOf(file, target, packages))];
  }

  function follow(file: string): void {
    if (seen.has(file)) return;
    seen.add(file);
    if (file.endsWith('.css')) sheets.add(relative(packages, file));
    else for (const found of importsOf(file)) if (found) follow(found);
  }

  for (const script of scriptsIn(dashboard)) follow(script);
  return sheets;
}

/** The file of PatternFly that an import names. Null for other packages, files of the dashboard and whole packages. */
function fileOf(importer: string, target: string, packages: string): string | null {
  const isRelative = target.startsWith('.') && importer.includes('/@patternfly/');
  if (!isRelative && !/^@patternfly\/[\w-]+\/./.test(target)) return null;
  const place = isRelative ? join(dirname(importer), target) : join(packages, target);
  const places = /\.(?:m?js|css)$/.test(place) ? [place] : [`${place}.js`, join(place, 'index.js'), `${place}.mjs`];
  return places.find((file) => existsSync(file)) ?? null;
}

/** The files of a package by the names that they export. */
function filesByName(folder: string): ReadonlyMap<string, string> {
  return new Map(
    scriptsIn(folder).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(exported)].flatMap(([, name, names = '']) =>
        [...(name ? [name] : []), ...namesIn(names)].map((each): [string, string] => [each, file]),
      ),
    ),
  );
}

/** `Card, type CardProps, Th as Head` are `Card`, `CardProps` and `Th`. */
function namesIn(list: string): string[] {
  return list.split(',').flatMap(
    (part) =>
      part
        .trim()
        .replace(/^type /, '')
        .split(' ')[0] || [],
  );
}
