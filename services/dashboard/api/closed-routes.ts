/**
 * Routes that only read, by what the policy says of them to who is signed in. `/internal/` stands for all below it that
 * are not named.
 */
export interface RoutesForReading {
  closed: readonly string[];
  open: readonly string[];
}

/**
 * Makes the test whether the policy refuses to read a path below the API's. Of several routes that fit, the most exact
 * one counts.
 */
export function createIsClosed({ closed, open }: RoutesForReading): (path: string) => boolean {
  if (closed.length === 0) return () => false;
  const routes = [
    ...closed.map((route) => ({ route, isClosed: true })),
    ...open.map((route) => ({ route, isClosed: false })),
  ];
  return (path) =>
    routes
      .filter(({ route }) => fits(route, path))
      .sort((a, b) => gapsOf(a.route) - gapsOf(b.route))
      .at(0)?.isClosed ?? false;
}

const prefix = '/internal/';

function fits(route: string, path: string): boolean {
  if (route === prefix) return path.startsWith(prefix);
  const [wanted, given] = [route.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith('{') || part === given[index]);
}

/** Fewer are more exact. */
function gapsOf(route: string): number {
  return route === prefix ? Number.POSITIVE_INFINITY : route.split('{').length;
}
