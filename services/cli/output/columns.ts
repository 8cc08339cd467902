/** A column or line of a table: the field it shows and how. */
export interface Column {
  title: string;
  field: string;
  format?: (value: unknown) => string;
}

/** A column whose title is made from the field, such as `Goal name`. */
export function column(field: string, format?: (value: unknown) => string): Column {
  const words = field.replaceAll('_', ' ').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const title = field === 'uuid' || field === 'id' ? field.toUpperCase() : words[0]?.toUpperCase() + words.slice(1);
  return { title, field, format };
}

/** What a table shows for a value. */
export function cellText(value: unknown, format?: (value: unknown) => string): string {
  if (format) return format(value);
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(Number(value.toFixed(4)));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The strategy of an audit, which the service chooses when none is named. */
export function strategyText(value: unknown): string {
  return value === null || value === undefined ? 'auto' : String(value);
}

/** Indicators, one a line: name, value and unit. */
export function efficacyText(value: unknown): string {
  if (!Array.isArray(value)) return '';
  return value
    .map(({ name, value: amount, unit }) => {
      const shown = typeof amount === 'number' ? Number(amount.toFixed(2)) : '';
      return `${name}: ${shown}${unit ? ` ${unit}` : ''}`;
    })
    .join('\n');
}

/** Indicator names and units of a goal, one a line. */
export function specificationText(value: unknown): string {
  if (!Array.isArray(value)) return '';
  return value.map(({ name, unit }) => (unit ? `${name} (${unit})` : String(name))).join('\n');
}

/** An object, indented. */
export function objectText(value: unknown): string {
  return value === null || value === undefined ? '' : JSON.stringify(value, null, 2);
}
