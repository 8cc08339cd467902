import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import type { UserConfig } from 'vite';
import { readUsedSheets } from './used-sheets.ts';

type PostCss = Exclude<NonNullable<NonNullable<UserConfig['css']>['postcss']>, string>;
type PostCssPlugin = NonNullable<PostCss['plugins']>[number];

/** Themes that `shell/theme.ts` never applies, and text from right to left. */
const absentThemes = /theme-(?:felt|glass|high-contrast)|dir=["']?rtl|dir-rtl/;
/** Icons of the font, and effects without a user. */
const absentMarks = /v6-pficon|v6-m-(?:legacy-font|ai-indicator|thinking)/;
/** Kinds of navigation, menus and tables without a user. */
const absentKinds = /pf-m-(?:docked|text-expanded|drill|flyout|favorite|hamburger|tree-view)|__dock(?![a-z])/;
const classOfHeight = /-on-\w+-height/;
/** Tables that turn into a grid at other widths than the default of `Table`. */
const absentGrids = /pf-m-grid(?!-md)(?![a-z])/;
/** Classes for one width of the window only, such as `pf-m-inline-on-lg`, with their width. */
const classOfWidth = /\.pf-m-[\w-]+-on-(sm|md|lg|xl|2xl)(?![\w-])/g;
/** `GridItem` has one column class for each width. */
const columnsOfWidth = /-col-on-/;
/** Names of classes in a selector. */
const classNames = /(?<=\.)-?[a-z_][\w-]*/gi;
/** The only width that properties of the used components name (`md: 'visible'`), next to the columns of grids. */
export const usedWidth = 'md';

/**
 * A PostCSS plugin that removes unused rules from the style sheets of PatternFly: 26 kB of the first load. It omits
 * rules for other themes, directions and widths, classes that no script sets, fonts (those of the system are used),
 * and variables that no script and no used sheet reads. It decides by the installed packages and the sources alone, so
 * that equal names of built files mean equal content.
 */
export function trimStyles(dashboard: string, packages: string, isUsed: (className: string) => boolean): PostCssPlugin {
  let readers: ReadonlyMap<string, number> | undefined;
  return {
    postcssPlugin: 'vigil-trim-styles',
    Once(root) {
      const file = root.source?.input.file ?? '';
      if (!file.includes('/@patternfly/')) return;
      root.walkAtRules('font-face', (rule) => void rule.remove());
      root.walkRules((rule) => {
        const kept = rule.selectors.filter((selector) => canMatch(selector, isUsed));
        if (kept.length === 0) rule.remove();
        else if (kept.length < rule.selectors.length) rule.selectors = kept;
      });
      readers ??= countReaders(dashboard, packages);
      const own = variablesRead(readFileSync(file, 'utf8'));
      const others = readers;
      const isReadElsewhere = (name: string) => (others.get(name) ?? 0) > (own.has(name) ? 1 : 0);
      let dropped: number;
      do {
        dropped = 0;
        const here = variablesRead(root.toString());
        root.walkDecls(/^--/, (declaration) => {
          if (here.has(declaration.prop) || isReadElsewhere(declaration.prop)) return;
          dropped += 1;
          declaration.remove();
        });
      } while (dropped > 0);
      root.walkRules((rule) => {
        if (rule.nodes.length === 0) rule.remove();
      });
      root.walkAtRules(/^(media|supports|container)$/, (rule) => {
        if (rule.nodes?.length === 0) rule.remove();
      });
    },
  };
}

/**
 * Whether an element of the dashboard can match a selector of PatternFly.
 * @param isUsed whether a script sets a class. Default: scripts set all classes
 */
export function canMatch(selector: string, isUsed: (className: string) => boolean = () => true): boolean {
  const canExist = (part: string) => canOccur(part) && (part.match(classNames) ?? []).every(isUsed);
  return canExist(
    selector
      .replaceAll(/:not\((?:[^()]|\([^()]*\))*\)/g, '')
      // One alternative is enough.
      .replaceAll(
        /:(?:is|where)\(([^()]*)\)/g,
        (_all, choices: string) => choices.split(',').find(canExist) ?? choices,
      ),
  );
}

/** Returns a map of classes of `@patternfly/react-styles` without its unused entries: 4 kB of the first load. */
export function trimClassMap(source: string, isUsed: (className: string) => boolean): string {
  return source.replaceAll(/^\s*"\w+": "(pf-[\w-]+)",?$/gm, (entry, className: string) =>
    canMatch(`.${className}`, isUsed) ? entry : '',
  );
}

function canOccur(part: string): boolean {
  if ([absentThemes, absentMarks, absentKinds, classOfHeight].some((absent) => absent.test(part))) return false;
  if (part.includes('c-table') && absentGrids.test(part)) return false;
  return [...part.matchAll(classOfWidth)].every(([name, width]) => width === usedWidth || columnsOfWidth.test(name));
}

/** The number of files that read a variable, by its name: used sheets, scripts of PatternFly and the dashboard. */
function countReaders(dashboard: string, packages: string): ReadonlyMap<string, number> {
  const sheets = readUsedSheets(dashboard, packages);
  const counts = new Map<string, number>();
  const folders = ['react-styles/css', 'react-core/dist/styles', 'react-core/dist/esm', 'react-table/dist/esm'];
  const isUsed = (file: string) => !file.endsWith('.css') || sheets.has(relative(packages, file));
  const own = sourcesIn(dashboard);
  const others = folders.flatMap((folder) => sourcesIn(join(packages, '@patternfly', folder))).filter(isUsed);
  for (const file of [...own, ...others])
    for (const name of variablesRead(readFileSync(file, 'utf8'), extname(file) !== '.css'))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(css|jsx?|tsx?)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** @param isScript scripts read variables also by their bare names. */
function variablesRead(source: string, isScript = false): Set<string> {
  return new Set(source.match(isScript ? /--pf-[\w-]+/g : /(?<=var\(\s*)--[\w-]+/g));
}
