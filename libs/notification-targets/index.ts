/**
 * Notifications of plans and of the machine over HTTP.
 *
 * - `readTargetUrl`, `requireSigningSecret`, `parseConfiguredTargets`: the settings of a target.
 * - `renderNotification`, `signatureHeaders`: the request that notifies it.
 * - `parseAllowedHosts`, `createCheckedLookup`, `requireCallable`: addresses that may be called.
 *
 * - `requireFormat`, `requireKind`: words of a target, with the nearest one for a misspelt word.
 *
 * Nothing here sends, stores or logs: the scheduler sends, and the store has events and deliveries.
 * The README has the decisions.
 */
export type { AllowedHosts, Resolve } from './address-rules.ts';
export {
  createCheckedLookup,
  parseAllowedHosts,
  RefusedAddressError,
  requireCallable,
} from './address-rules.ts';
export type { ConfiguredTarget } from './configured-targets.ts';
export { maxTargets, parseConfiguredTargets, requireFormat, requireKind } from './configured-targets.ts';
export { notificationText } from './notification-text.ts';
export { renderNotification } from './render-notification.ts';
export { newSigningSecret, requireSigningSecret, signatureHeaders } from './sign-body.ts';
export { readTargetUrl } from './target-url.ts';
