/** Schema of a parameter that keeps hosts for the failure of others (N + 1); default none. Not one of Watcher's. */
export const reserveHostsSchema = {
  description: 'Hosts that could be freed and stay in use or empty, as a reserve for the failure of others.',
  type: 'integer',
  minimum: 0,
};
