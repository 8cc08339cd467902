import type { ReactNode } from 'react';

const number = /^[≤≥~±+−-]?\d[\d.,]*(%|\p{L}{1,4})?$/u;
const unitOrSign = /^([≤≥~±+−/→-]|[\p{L}%°]{1,6})$/u;
/** Words of the longest amount, such as `1 min 5 s → 2 min 7 s`. */
const mostWords = 9;

/** Cells without a value. */
const isEmpty = (cell: ReactNode) => cell === null || cell === undefined || cell === '' || cell === '–';

/** A number, or amounts with short units, such as `1,234`, `−3 %`, `≤ 31`, `1 min 5 s` or `3 / 8`. */
function isAmount(cell: ReactNode): boolean {
  if (typeof cell !== 'string') return typeof cell === 'number';
  const words = cell.trim().split(/\s+/);
  const starts = number.test(words[0] ?? '') || (/^[≤≥~±+−-]$/.test(words[0] ?? '') && number.test(words[1] ?? ''));
  return starts && words.length <= mostWords && words.every((word) => number.test(word) || unitOrSign.test(word));
}

/** Whether the cells of a column are numbers, beside those without a value. Cells that are elements are not. */
export function areNumbers(cells: readonly ReactNode[]): boolean {
  return cells.some(isAmount) && cells.every((cell) => isEmpty(cell) || isAmount(cell));
}

/** Props of the cells of a column of numbers: aligned by their last digit. */
export function numberCell(isNumber: boolean): { className?: string } {
  return isNumber ? { className: 'vigil-number' } : {};
}
