import type { JsonObject } from '#libs/domain';

/** Schema of a parameter of consolidators that empty hosts one after the other. Not one of Watcher's, hence without a default. */
export const hostOrderSchema = {
  description:
    'Which hosts are emptied: fewest_moves looks for the most hosts with the fewest migrations (when it is not given); watcher ' +
    'tries hosts in the order of Watcher only.',
  type: 'string',
  enum: ['fewest_moves', 'watcher'],
} as const satisfies JsonObject;
