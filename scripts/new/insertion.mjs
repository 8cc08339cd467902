/** Lines behind the only place where a file has the text `after`. */
export function insertion(file, after, line) {
  return { file, importLine: null, line, after };
}
