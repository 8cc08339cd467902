/** The graph of a plan's actions. */
export const graph = {
  'graph.label': 'Actions and who waits for whom',
  'graph.title': { one: '{count} action', other: '{count} actions' },
  'graph.group': '{count} × {type}',
  'graph.actions': 'actions',
  'graph.routes': { one: 'one way', other: '{count} ways' },
  'graph.waits': 'waits for {count}',
  'graph.smaller': 'Smaller',
  'graph.larger': 'Larger',
  'graph.scale': '{percent} %',
  'graph.fit': 'Show everything',
  'graph.grouped': 'Group what is alike',
  'graph.closeGroups': 'Close the opened groups',
} as const;
