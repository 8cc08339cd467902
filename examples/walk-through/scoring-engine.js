// scoring-engine.js
/** @type {import('openstack-vigil/plugin-kit').ScoringEnginePlugin} */
export const headroom = {
  kind: 'scoring_engine',
  name: 'headroom',
  description: 'Free share of a host, from its used and its total number of virtual CPUs',
  metainfo: JSON.stringify({ features: ['used', 'total'], score: '0 to 1' }),
  calculateScore(features) {
    const [used, total] = JSON.parse(features);
    return JSON.stringify(Math.max(0, 1 - used / total));
  },
};
