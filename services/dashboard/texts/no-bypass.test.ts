import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Names that are the same in every language, codes for programs, and stored values: no user sees them in their
 * language.
 */
const allowed = new Set([
  ...['Vigil', 'Grafana', 'Horizon', 'Keystone', 'Nova', 'Placement', 'Cinder', 'PID', 'Degraded', 'Default', 'Client'],
  ...['GiB', '{} GiB', '{} / {} GiB', '{} ms', 'HTTP {}', '3600 or 0 3 * * *', '12px RedHatText, sans-serif'],
  ...['so far', 'moved on', 'by Nova', 'used outside of the dashboard'],
  // Names and descriptions of templates and rules that the dashboard creates.
  ...[
    'scope of {} {}',
    'an audit',
    'leave out {}',
    'No plan moves anything to {}.',
    'keep {} {}',
    'Keeps {} on {}.',
    'its host',
  ],
]);

/** Attributes and fields that are shown or spoken. */
const shown = new Set(
  (
    'title titleText label aria-label aria-valuetext placeholder done what toggleText description screenReaderText dataLabel text hint ' +
    'detail note word nextButtonText backButtonText cancelButtonText closeBtnAriaLabel navAriaLabel'
  ).split(' '),
);
/** Attributes with invisible texts. */
const hidden = new Set('className id key type to href d viewBox points transform gap fieldId path'.split(' '));
const operators = new Set(['&&', '||', '??', '+']);
const hasWords = (text: string) => /[A-Za-z]{2}/.test(text);
const isProse = (text: string) => /[A-Za-z]{2,},? [A-Za-z(]/.test(text) || /^[A-Z][a-z]{2,}\.?$/.test(text);

/** Text of a literal, with `{}` for each inserted value. Null when the node is not a literal. */
function sayingOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
}

/** Whether only programs read a literal. */
function isCode(node: ts.Node): boolean {
  for (let child = node, parent = node.parent; parent; child = parent, parent = parent.parent) {
    if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isTypeNode(parent)) return true;
    if (ts.isJsxAttribute(parent)) return hidden.has(parent.name.getText());
    if (ts.isCaseClause(parent) && parent.expression === child) return true;
    if (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText())) return true;
    if (ts.isCallExpression(parent) && /^(text|richText)$/.test(parent.expression.getText())) return true;
    if (ts.isPropertyAssignment(parent) && parent.name === child) return true;
    if (ts.isFunctionLike(parent) || ts.isJsxElement(parent)) return false;
  }
  return false;
}

/** Whether a literal is shown at its position, possibly under a condition. */
function isShown(node: ts.Node): boolean {
  for (let child = node, parent = node.parent; parent; child = parent, parent = parent.parent) {
    if (ts.isJsxAttribute(parent)) return shown.has(parent.name.getText());
    if (ts.isPropertyAssignment(parent)) return shown.has(parent.name.getText()) && parent.initializer === child;
    if (ts.isJsxExpression(parent)) {
      if (!ts.isJsxAttribute(parent.parent)) return true;
    } else if (ts.isConditionalExpression(parent)) {
      if (parent.condition === child) return false;
    } else if (ts.isBinaryExpression(parent)) {
      if (!operators.has(parent.operatorToken.getText())) return false;
    } else if (!ts.isParenthesizedExpression(parent)) return false;
  }
  return false;
}

function isInFunction(node: ts.Node): boolean {
  for (let parent = node.parent; parent; parent = parent.parent) if (ts.isFunctionLike(parent)) return true;
  return false;
}

/** Texts of a source that bypass the catalogue, and those that are selected when the source is loaded. */
function bypassesOf(path: string, source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const saying = ts.isJsxText(node) ? node.text.replaceAll(/\s+/g, ' ').trim() : sayingOf(node);
    if (saying !== null && hasWords(saying.replaceAll('{}', ''))) {
      const isSeen = ts.isJsxText(node) || isShown(node) || isProse(saying);
      // Catalogue keys contain a dot.
      if (isSeen && !isCode(node) && !/^[\w-]+(\.[\w-]+)+$/.test(saying) && !allowed.has(saying))
        found.push(`${path}: ${saying}`);
    }
    if (ts.isCallExpression(node) && /^(text|richText)$/.test(node.expression.getText()) && !isInFunction(node))
      found.push(`${path}: ${node.getText()} before the language is known`);
    ts.forEachChild(node, visit);
  };
  visit(
    ts.createSourceFile(
      path,
      source,
      ts.ScriptTarget.Latest,
      true,
      path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
    ),
  );
  return found;
}

function sourcesBelow(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return /\.tsx?$/.test(path) ? [path] : [];
  const skipped = new Set(['generated', 'texts', 'node_modules']);
  return readdirSync(join(root, path)).flatMap((name) =>
    skipped.has(name) || /\.test\.|\.d\.ts$|vite\.config/.test(name) ? [] : sourcesBelow(join(path, name)),
  );
}

test('no text that people see or hear bypasses the catalogue', () => {
  const files = sourcesBelow('.');
  expect(files.length).toBeGreaterThan(150);
  expect(files.flatMap((path) => bypassesOf(path, readFileSync(join(root, path), 'utf8')))).toEqual([]);
});

test('finds texts in elements, attributes, conditions and fields, and those that are chosen too early', () => {
  const source = `
    const columns = [{ title: 'host', render }];
    const title = text('page.plans');
    const Page = ({ count }) => (
      <Card title="plan" id="plan" className="two classes">
        in all {count === 1 ? 'host' : 'hosts'}
        {text('page.plans')}
        <b aria-label={\`\${count} plans\`} />
        {notices.success('It is done')}
      </Card>
    );`;
  expect(bypassesOf('a.tsx', source)).toEqual([
    'a.tsx: host',
    "a.tsx: text('page.plans') before the language is known",
    'a.tsx: plan',
    'a.tsx: in all',
    'a.tsx: host',
    'a.tsx: hosts',
    'a.tsx: {} plans',
    'a.tsx: It is done',
  ]);
});
