import type { Catalogue } from '../texts.ts';

/** Der Verlauf über Wochen. */
export const trends = {
  'trends.deviation': 'Streuung der CPU-Last über die Hosts',
  'trends.power': 'Leistungsaufnahme aller gemessenen Hosts',
  'trends.allHosts': 'Alle gemessenen Hosts',
  'trends.predicted': 'Streuung vorhergesagt',
  'trends.measured': 'Streuung gemessen',
  'trends.toFree': 'Freizumachende Hosts',
  'trends.emptyMeasured': 'Leere Hosts gemessen',
  'trends.plansLabel': 'Pläne',
  'trends.noPlans': 'In diesen Wochen ist kein Plan gelungen',
  'trends.hint':
    'Wie sich die Cloud entwickelt hat und was Pläne dazu beigetragen haben, so weit zurück, wie Pläne und Messwerte aufbewahrt werden.',
  'trends.weeks': 'Zeitraum',
  'trends.weekCount': { one: '{count} Woche', other: '{count} Wochen' },
  'trends.unreadable': 'Der Verlauf kann nicht gelesen werden',
  'trends.moves': 'Verschiebungen pro Woche',
  'trends.freed': 'Freigemachte Hosts pro Woche',
  'trends.succeeded': { one: '{count} Plan gelungen', other: '{count} Pläne gelungen' },
  'trends.nothing': 'Nichts in diesen Wochen',
  'trends.barsLabel': '{title}: {total} insgesamt, höchstens {most}, {last} in dieser Woche',
  'trends.bar': 'Woche vom {week}: {value}{note}',
  'trends.kept': '{plans} hat mindestens {part} der Streuung abgebaut, die er abbauen sollte.',
  'trends.onePlan': 'Der gemessene Plan',
  'trends.secondPlan': {
    one: 'Jeder zweite von {count} gemessenen Plänen',
    other: 'Jeder zweite von {count} gemessenen Plänen',
  },
  'trends.barsHint':
    'Wochen vom {first} bis {last} (UTC). {total} insgesamt, {most} in der stärksten Woche, {now} in dieser Woche.',
} satisfies Partial<Catalogue>;
