/**
 * Read-only routes with the policy's verdict for the signed-in user. `/internal/` stands for all routes below it that
 * are not named.
 */
export interface RoutesForReading {
  closed: readonly string[];
  open: readonly string[];
}

/**
 * Creates the check whether the policy refuses a read of a path below the API. If several routes match, the most
 * specific one counts.
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

/** Fewer are more specific. */
function gapsOf(route: string): number {
  return route === prefix ? Number.POSITIVE_INFINITY : route.split('{').length;
}
