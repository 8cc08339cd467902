import type { Catalogue } from '../texts.ts';

/** Diagramme der Messwerte. */
export const charts = {
  'charts.history': 'Verlauf',
  'charts.unreadable': 'Der Verlauf kann nicht geladen werden',
  'charts.nothing': 'Keine Daten',
  'charts.inUnit': '{title} in {unit}',
  'charts.most': 'Höchstbelasteter Host',
  'charts.mean': 'Mittelwert',
  'charts.deviation': 'Streuung',
  'charts.cpuLoad': 'CPU-Last der Hosts',
  'charts.cpuLoadOf': 'CPU-Last',
  'charts.loadOf': 'Last von {name}',
  'charts.spreadOver': 'CPU-Last der Hosts, letzte Stunde ({zone})',
  'charts.chart': 'Diagramm',
  'charts.deviationHint': 'Je kleiner die Streuung, desto gleichmäßiger die Last.',
  'charts.hint': 'Werte mit den Pfeiltasten ablesen.',
  'charts.range': 'Zeitraum',
  'charts.range.hour': '1 Stunde',
  'charts.range.day': '1 Tag',
  'charts.range.week': '1 Woche',
} satisfies Partial<Catalogue>;
