/** Whether a text fits a pattern in which `*` stands for any characters and `?` for one; case counts. */
export function patternTest(pattern: string): (text: string) => boolean {
  if (!/[*?]/.test(pattern)) return (text) => text === pattern;
  const parts = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll(/\*+/g, '.*');
  const expression = new RegExp(`^${parts.replaceAll('?', '.')}$`, 's');
  return (text) => expression.test(text);
}

/** Whether a text fits one of the patterns; without any, everything does. */
export function anyPattern(patterns: readonly string[] | undefined): (text: string) => boolean {
  if (!patterns || patterns.length === 0) return () => true;
  const tests = patterns.map(patternTest);
  return (text) => tests.some((fits) => fits(text));
}
