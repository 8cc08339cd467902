export type { Consumer, DeadLetter, Envelope, Handler, MessageBus, RequestHandler, Verdict } from './bus.ts';
export type { AuditTriggerBody } from './catalogue/audit-trigger.ts';
export { auditTrigger } from './catalogue/audit-trigger.ts';
export { messageCatalogue } from './catalogue/catalogue.ts';
export type { MessageDefinition } from './catalogue/message-definition.ts';
export type { PlanLaunchBody } from './catalogue/plan-launch.ts';
export { planLaunch } from './catalogue/plan-launch.ts';
export { BusUnavailableError, NobodyAnswersError, RemoteRequestError, RequestTimeoutError } from './errors.ts';
