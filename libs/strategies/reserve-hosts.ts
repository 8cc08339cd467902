/** Schema of a parameter that keeps hosts for the failure of others (N + 1); default none. Not one of Watcher's. */
export const reserveHostsSchema = {
  description: 'Hosts that could be freed and stay in use or empty, beside those that failure domains need.',
  type: 'integer',
  minimum: 0,
} as const;
