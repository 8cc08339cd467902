/**
 * Text for a compute node that accepts no instances although its nova-compute may run, with the remedy. Nova refuses to
 * clear `forced_down` (400) while evacuations of the node are `done`. Its nova-compute completes them at its start.
 */
export function forcedDownText(host: string): string {
  return (
    `${host} is forced down in Nova. After evacuations, Nova refuses to clear forced_down until nova-compute on ` +
    `${host} has restarted`
  );
}
