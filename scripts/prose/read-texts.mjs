// Finds the English of a file: comments, literals that hold a sentence, titles of tests, and the running text of
// Markdown pages.
import ts from 'typescript';

/** A text of a file. @typedef {{ kind: 'comment' | 'text' | 'title' | 'page', line: number, text: string }} Text */

/** A literal counts as English from this number of words on. Shorter ones are keys, states and paths. */
const sentenceWords = 3;

/** Functions of Vitest whose first argument is a title. */
const titledCalls = new Set(['describe', 'it', 'test']);

/**
 * Reads the texts of a TypeScript or JavaScript source. Of the literals of tests, only titles count. Leaves out
 * literals of migrations, whose SQL never changes.
 * @returns {Text[]}
 */
export function textsOfSource(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest);
  const literals = literalsOf(tree);
  const comments = commentsOf(tree, source, literals);
  if (/\.test\.tsx?$/.test(file)) return [...comments, ...titlesOf(tree)];
  if (/^tests\/|^migrations\//.test(file)) return comments;
  return [...comments, ...literals.flatMap(({ node }) => sentenceOf(node, tree))];
}

/** Literals with their places, in the order of the source. Comment signs in them start no comment. */
function literalsOf(tree) {
  const literals = [];
  const visit = (node) => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node);
    if (isText || ts.isRegularExpressionLiteral(node))
      literals.push({ node, start: node.getStart(tree), end: node.end });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return literals;
}

function commentsOf(tree, source, literals) {
  const gaps = [];
  let from = 0;
  for (const { start, end } of literals) {
    gaps.push([from, start]);
    from = end;
  }
  gaps.push([from, source.length]);
  return gaps.flatMap(([start, end]) =>
    [...source.slice(start, end).matchAll(/\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g)].map(({ index, 0: comment }) => ({
      kind: 'comment',
      line: tree.getLineAndCharacterOfPosition(start + index).line + 1,
      text: withoutCode(comment),
    })),
  );
}

/** A literal as a text, if it has enough words for a sentence. @returns {Text[]} */
function sentenceOf(node, tree) {
  if (ts.isRegularExpressionLiteral(node)) return [];
  const words = node.text.match(/(?<![\w$])[A-Za-z][a-z']*(?=[\s.,:;!?)]|$)/g) ?? [];
  if (words.length < sentenceWords) return [];
  const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
  return [{ kind: 'text', line, text: withoutCode(node.text) }];
}

/** Titles of tests and of groups of tests. @returns {Text[]} */
function titlesOf(tree) {
  const titles = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && titledCalls.has(calledName(node.expression))) {
      const [title] = node.arguments;
      if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) {
        const line = tree.getLineAndCharacterOfPosition(title.getStart(tree)).line + 1;
        titles.push({
          kind: 'title',
          line,
          text: withoutCode(title.getText(tree).slice(1, -1)).replace(/\$\w+/g, '_'),
        });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return titles;
}

/** Name at the start of a called expression: `it` for `it`, `it.each(rows)` and `it.skipIf(reason)`. */
function calledName(expression) {
  let node = expression;
  while (!ts.isIdentifier(node)) {
    if (!ts.isCallExpression(node) && !ts.isPropertyAccessExpression(node) && !ts.isTaggedTemplateExpression(node))
      return undefined;
    node = ts.isTaggedTemplateExpression(node) ? node.tag : node.expression;
  }
  return node.text;
}

/** Reads the paragraphs of a Markdown page, without code blocks and link targets. @returns {Text[]} */
export function textsOfMarkdown(source) {
  const texts = [];
  let isCode = false;
  for (const [index, line] of source.split('\n').entries()) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    else if (!isCode && !/^( {4}|\t)/.test(line))
      texts.push({ kind: 'page', line: index + 1, text: withoutCode(line) });
  }
  return texts;
}

/** Reads the comments of YAML, shell and unit files. @returns {Text[]} */
export function textsOfHashComments(source) {
  return source.split('\n').flatMap((line, index) => {
    const comment = /^\s*#(?!!)(.*)/.exec(line);
    return comment ? [{ kind: 'comment', line: index + 1, text: withoutCode(comment[1]) }] : [];
  });
}

/** Blanks code in backticks, link targets and quoted terms, which keep their own words. Lines stay where they are. */
function withoutCode(text) {
  return text
    .replace(/`[^`]*`/g, (code) => code.replace(/[^\n]/g, '_'))
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/https?:\/\/\S+/g, '_');
}
