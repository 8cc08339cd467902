import type { components } from './generated/internal-schema.ts';

type Schemas = components['schemas'];

/** A service of `/internal/services`, desired against observed. */
export type ServiceRow = Schemas['ServiceStatusRow'];

/** `/internal/services`. */
export type ServiceList = Schemas['RegisteredServiceList'];

/** Event of a service. */
export type ServiceEvent = Schemas['ServiceEvent'];

/** `/internal/services/events`. */
export type ServiceEventList = Schemas['ServiceEventList'];

/** `/internal/services/graph`. */
export type ResourceGraphResponse = Schemas['ResourceGraph'];

/** `/internal/deployment`. */
export type Deployment = Schemas['Deployment'];

/** `/internal/properties`. */
export type PropertyDeclarations = Schemas['PropertyDeclarations'];

/** `/internal/properties/{kind}/{id}/{name}`. */
export type Property = Schemas['EntityProperty'];

/** A background task. */
export type Task = Schemas['Task'];

/** A requested change: its user and its result. */
export type AuditLogEntry = Schemas['AuditLogEntry'];

/** A schedule of `/internal/tasks/schedules`. */
export type TaskSchedule = Schemas['TaskSchedule'];

/** A continuous audit of `/internal/tasks/schedules`. */
export type AuditSchedule = Schemas['AuditSchedule'];

/** A loop of a process of `/internal/tasks/schedules`. */
export type ProcessLoop = Schemas['ProcessLoop'];

/** `/internal/tasks/schedules`. */
export type TaskScheduleList = Schemas['TaskScheduleList'];

/** A message of `/internal/dead-letters`. */
export type DeadLetter = Schemas['DeadLetter'];

/** `/internal/dead-letters`. */
export type DeadLetterList = Schemas['DeadLetterList'];
