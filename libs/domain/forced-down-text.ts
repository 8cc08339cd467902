/**
 * Why a compute node takes nothing although its nova-compute may run, and the step that ends it: Nova refuses to clear
 * `forced_down` (400) while evacuations of the node are `done`, which its nova-compute completes when it starts.
 */
export function forcedDownText(host: string): string {
  return (
    `${host} is forced down in Nova. After evacuations, Nova refuses to clear forced_down until nova-compute on ` +
    `${host} has restarted`
  );
}
