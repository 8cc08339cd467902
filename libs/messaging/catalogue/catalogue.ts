import { auditTrigger } from './audit-trigger.ts';
import type { MessageDefinition } from './message-definition.ts';
import { outcomeMeasure } from './outcome-measure.ts';
import { planLaunch } from './plan-launch.ts';

/** Every work message there is. A new one is a file beside this and a line here. */
export const messageCatalogue: readonly MessageDefinition[] = [auditTrigger, planLaunch, outcomeMeasure];
