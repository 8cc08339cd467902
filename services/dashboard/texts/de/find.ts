import type { Catalogue } from '../texts.ts';

/** Das Feld, das Hosts, Instanzen, Projekte und Flavors sucht. */
export const find = {
  'find.button': 'Host oder Instanz suchen',
  'find.label': 'Name oder UUID',
  'find.placeholder': 'Name oder Anfang einer UUID',
  'find.found': 'Gefunden',
  'find.nothing': 'Nichts mit diesem Namen.',
  'find.more': 'Und {count} weitere: mehr Zeichen grenzen die Suche ein.',
  'find.instance': 'Instanz {id}',
  'find.instanceOn': 'Instanz {id} auf {host}',
  'find.host': { one: 'Host, {count} Instanz', other: 'Host, {count} Instanzen' },
  'find.project': { one: 'Projekt, {count} Instanz', other: 'Projekt, {count} Instanzen' },
  'find.flavor': { one: 'Flavor, {count} Instanz', other: 'Flavor, {count} Instanzen' },
} satisfies Partial<Catalogue>;
