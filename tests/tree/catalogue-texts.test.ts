import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { allTexts } from '../browser/texts.ts';

/**
 * Rule: no test repeats a text of the dashboard, so that a changed sentence breaks no test. A literal is refused when
 * it contains a piece of a text (the text between two gaps) of two words and at least 24 characters. Tests of the
 * dashboard are stricter: pieces count from 12 characters on, and a literal may not equal a whole text that starts with
 * a capital. Names of tests may have any words.
 */
const shortest = { dashboard: 12, others: 24 } as const;
const ofDashboard = /^(tests\/browser|services\/dashboard)\//;
/** Values of other systems: Keystone's domain, and an attribute of cookies. */
const values = new Set(['Default', 'Strict']);
const own = 'tests/tree/catalogue-texts.test.ts';
const named = /^(test|it|describe)\b/;

const texts = allTexts();
const wholes = new Set(
  texts.filter((text) => /^\p{Lu}\p{L}{2}/u.test(text) && !text.includes('{') && !values.has(text)),
);
/** By their first characters. */
const pieces = new Map<string, string[]>();
for (const piece of texts.flatMap((text) => text.split(/\{\w+\}/)).map((part) => part.trim())) {
  if (piece.length < shortest.dashboard || !/\p{L} \p{L}/u.test(piece)) continue;
  const begin = piece.slice(0, shortest.dashboard);
  pieces.set(begin, [...(pieces.get(begin) ?? []), piece]);
}

/** Texts that a literal repeats. */
function textsIn(literal: string, isOfDashboard: boolean): string[] {
  if (isOfDashboard && wholes.has(literal)) return [literal];
  const found: string[] = [];
  const least = isOfDashboard ? shortest.dashboard : shortest.others;
  for (let at = 0; at + shortest.dashboard <= literal.length; at += 1) {
    const possible = pieces.get(literal.slice(at, at + shortest.dashboard)) ?? [];
    found.push(...possible.filter((piece) => piece.length >= least && literal.startsWith(piece, at)));
  }
  return found;
}

function literalOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
    return node.text;
  return ts.isRegularExpressionLiteral(node) ? node.text.slice(1).replaceAll('\\', '') : undefined;
}

/** Whether a literal is the name of a test. */
function isName(node: ts.Node): boolean {
  const { parent } = node;
  return ts.isCallExpression(parent) && parent.arguments[0] === node && named.test(parent.expression.getText());
}

/** Literals of a source that repeat a text. A line each. */
function repeatsIn(path: string, source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const literal = literalOf(node);
    if (literal !== undefined && !isName(node))
      found.push(...textsIn(literal, ofDashboard.test(path)).map((text) => `${path}: ${text}`));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
  return found;
}

/** Tests below a folder, and all support of the browser tests. */
function testFilesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => path !== own && /\.test\.tsx?$|^tests\/browser\/.*\.ts$/.test(path));
}

test('no test repeats a text of the catalogue', () => {
  const files = ['libs', 'services', 'bench', 'verify', 'tests'].flatMap(testFilesBelow);
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap((path) => repeatsIn(path, readFileSync(path, 'utf8')))).toEqual([]);
});

test('a repeated text is found in strings, templates and patterns, but not in names of tests', () => {
  const source = `
    test('Keystone rejected the sign-in. Try again.', () => {
      page.getByText('Your session has ended. Sign in to continue where you left off.');
      page.getByText(\`\${name}: This has changed since you opened it\`);
      page.getByText(/Cannot propose a plan/);
      page.getByRole('button', { name: 'Delete' });
    });`;
  expect(repeatsIn('tests/browser/a.test.ts', source)).toEqual([
    'tests/browser/a.test.ts: Your session has ended. Sign in to continue where you left off.',
    'tests/browser/a.test.ts: This has changed since you opened it',
    'tests/browser/a.test.ts: Cannot propose a plan',
    'tests/browser/a.test.ts: Delete',
  ]);
});
