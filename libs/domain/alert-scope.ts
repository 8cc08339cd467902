/** Elements of the cloud that labels of alerts may name. */
export const alertElements = ['host', 'instance', 'aggregate', 'zone'] as const;
export type AlertElement = (typeof alertElements)[number];

/** Names of the labels that name an element. Empty: alerts do not limit the runs of the audit. */
export type AlertLabels = Partial<Record<AlertElement, string>>;

/** The elements that one alert names. An instance or host must match all of them. */
export type AlertSelection = Partial<Record<AlertElement, string>>;

/**
 * The part of an audit's scope that limits its run: the union of selections. Instances outside of it are not moved.
 * Hosts outside of its zones and aggregates are ignored. Null: the whole scope of the audit.
 */
export type AlertScope = AlertSelection[] | null;

/** Longest value of a label that names an element, in characters. */
const maxName = 255;

/**
 * Scope of the alerts with these labels. An alert without any of the labels selects nothing. The value of the label for
 * `host` may end with a port, as the label `instance` of Prometheus does.
 * @returns null when the mapping is empty, an empty list when no alert selects anything
 */
export function alertScopeOf(alerts: readonly Readonly<Record<string, string>>[], mapping: AlertLabels): AlertScope {
  const mapped = alertElements.flatMap((element) => {
    const label = mapping[element];
    return label === undefined ? [] : [{ element, label }];
  });
  if (mapped.length === 0) return null;
  const selections = new Map<string, AlertSelection>();
  for (const labels of alerts) {
    const named = mapped.flatMap(({ element, label }) => {
      const name = nameOf(element, Object.hasOwn(labels, label) ? (labels[label] ?? '') : '');
      return name === '' ? [] : [[element, name]];
    });
    if (named.length > 0) selections.set(JSON.stringify(named), Object.fromEntries(named) as AlertSelection);
  }
  return [...selections.values()];
}

function nameOf(element: AlertElement, value: string): string {
  const name = value.trim().slice(0, maxName);
  return element === 'host' ? name.replace(/:\d{1,5}$/, '') : name;
}
