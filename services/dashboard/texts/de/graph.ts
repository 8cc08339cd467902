import type { Catalogue } from '../texts.ts';

/** Der Graph der Aktionen eines Plans. */
export const graph = {
  'graph.label': 'Aktionen und wer auf wen wartet',
  'graph.title': { one: '{count} Aktion', other: '{count} Aktionen' },
  'graph.group': '{count} × {type}',
  'graph.actions': 'Aktionen',
  'graph.routes': { one: 'ein Weg', other: '{count} Wege' },
  'graph.waits': 'wartet auf {count}',
  'graph.smaller': 'Kleiner',
  'graph.larger': 'Größer',
  'graph.scale': '{percent} %',
  'graph.fit': 'Alles zeigen',
  'graph.grouped': 'Gleichartiges zusammenfassen',
  'graph.closeGroups': 'Geöffnete Gruppen schließen',
} satisfies Partial<Catalogue>;
