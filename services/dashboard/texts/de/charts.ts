import type { Catalogue } from '../texts.ts';

/** Diagramme der Messwerte. */
export const charts = {
  'charts.history': 'Messwerte',
  'charts.unreadable': 'Die Messwerte können nicht gelesen werden',
  'charts.nothing': 'Keine Messwerte',
  'charts.inUnit': '{title} in {unit}',
  'charts.most': 'Höchste Last',
  'charts.mean': 'Mittelwert',
  'charts.deviation': 'Streuung',
  'charts.cpuLoad': 'CPU-Last der Hosts',
  'charts.cpuLoadOf': 'CPU-Last',
  'charts.loadOf': 'Last von {name}',
  'charts.spreadOver': 'Verteilung der CPU-Last auf die Hosts, letzte Stunde ({zone})',
  'charts.chart': 'Diagramm',
  'charts.deviationHint': 'Je kleiner die Streuung, desto gleichmäßiger ist die Last verteilt.',
  'charts.hint': 'Mit den Pfeiltasten lassen sich die Werte lesen.',
  'charts.range': 'Zeitraum',
  'charts.range.hour': '1 Stunde',
  'charts.range.day': '1 Tag',
  'charts.range.week': '1 Woche',
} satisfies Partial<Catalogue>;
