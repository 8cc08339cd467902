// Finds the English of a file: comments, literals that hold a sentence, and the running text of Markdown pages.
import ts from 'typescript';

/** A text of a file. @typedef {{ kind: 'comment' | 'text' | 'page', line: number, text: string }} Text */

/** A literal counts as English from this number of words on. Shorter ones are keys, states and paths. */
const sentenceWords = 3;

/**
 * Reads the texts of a TypeScript or JavaScript source. Leaves out literals of tests and of migrations, whose
 * SQL never changes.
 * @returns {Text[]}
 */
export function textsOfSource(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const texts = commentsOf(tree, source);
  if (!/\.test\.tsx?$|^tests\/|^migrations\//.test(file)) addLiterals(tree, tree, texts);
  return texts;
}

function commentsOf(tree, source) {
  const seen = new Set();
  const texts = [];
  const add = (ranges) => {
    for (const { pos, end } of ranges ?? []) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      const line = tree.getLineAndCharacterOfPosition(pos).line + 1;
      texts.push({ kind: 'comment', line, text: withoutCode(source.slice(pos, end)) });
    }
  };
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.JsxText) return;
    add(ts.getLeadingCommentRanges(source, node.getFullStart()));
    add(ts.getTrailingCommentRanges(source, node.getEnd()));
    for (const child of node.getChildren(tree)) visit(child);
  };
  visit(tree);
  return texts.sort((a, b) => a.line - b.line);
}

function addLiterals(node, tree, texts) {
  if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)) {
    const words = node.text.match(/(?<![\w$])[A-Za-z][a-z']*(?=[\s.,:;!?)]|$)/g) ?? [];
    const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
    if (words.length >= sentenceWords) texts.push({ kind: 'text', line, text: withoutCode(node.text) });
  }
  ts.forEachChild(node, (child) => addLiterals(child, tree, texts));
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
