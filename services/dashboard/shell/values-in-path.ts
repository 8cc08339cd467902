/** Values of the `:name` segments of a pattern in a path. Undefined if the pattern does not match. */
export function valuesInPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const segmentsOf = (text: string) => text.split('/').filter((segment) => segment !== '');
  const [wanted, segments] = [segmentsOf(pattern), segmentsOf(path)];
  const isMatch = wanted.every((name, place) => name.startsWith(':') || name === segments[place]);
  if (!isMatch || wanted.length !== segments.length) return undefined;
  const named = wanted.flatMap((name, place) =>
    name.startsWith(':') ? [[name.slice(1), decoded(segments[place] ?? '')] as const] : [],
  );
  return Object.fromEntries(named);
}

/** An invalid segment stays encoded, as in the router. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
