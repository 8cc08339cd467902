import { auditTrigger } from './audit-trigger.ts';
import type { MessageDefinition } from './message-definition.ts';
import { outcomeMeasure } from './outcome-measure.ts';
import { planLaunch } from './plan-launch.ts';

/** All work messages. A new one needs a file in this folder and a line here. */
export const messageCatalogue: readonly MessageDefinition[] = [auditTrigger, planLaunch, outcomeMeasure];
