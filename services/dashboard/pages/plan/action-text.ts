export { routeOf, subjectOf } from '#libs/client';

/** How far a running action is, such as `42 %`; empty when nobody knows. */
export function progressOf(action: { state: string; progress?: number }): string {
  return action.state === 'ONGOING' && action.progress !== undefined ? `${Math.round(action.progress * 100)} %` : '';
}
