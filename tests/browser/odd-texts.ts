import type { Page } from 'playwright-core';

/** Texts that no page may ever show, and their names. */
const oddities: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a value that is none', /\b(undefined|NaN|null|Infinity)\b|\[object/],
  ['a negative amount', /(?<![\w.:-])[-−]\d/],
  ['a raw uuid', /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/],
  ['a name of the API', /(?<![/\w.$-])[a-z][a-z0-9]*(_[a-z0-9]+)+\b/],
  ['a name of the API', /\b[A-Z]+_[A-Z_]+\b/],
];

/** Words that only English has. `in`, `last` and `not` are German too. */
const english =
  /\b(the|of|and|is|are|to|for|with|from|by|no|not yet|every|each|this|that|which|page|pages|rows?|close|open|show|hide|back|next|previous|search|select|sort|toggle|clear|cancel|delete|edit|create|state|created|hour|hours|days?|week|weeks|unknown)\b/i;

/** Text that is meant to be literal, or is an amount with a sign. */
const literal = 'code, pre, input, textarea, script, style, [data-literal]';

/** Evaluated in the page: every shown text by its block, spoken labels, and times with their texts. */
const readTexts = (without: string) => `(() => {
  const skipped = ${JSON.stringify(without)};
  const blockTags = 'p, li, td, th, dd, dt, h1, h2, h3, h4, text, option, button, a, span, div';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const blocks = new Map();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || parent.closest(skipped) || !parent.checkVisibility()) continue;
    const block = parent.closest(blockTags) ?? parent;
    blocks.set(block, (blocks.get(block) ?? '') + node.textContent);
  }
  const labels = [...document.querySelectorAll('[aria-label], [title]')].flatMap((element) =>
    element.closest(skipped) ? [] : [element.getAttribute('aria-label') ?? '', element.getAttribute('title') ?? '']);
  const times = [...document.querySelectorAll('time')].map((time) => [time.dateTime, time.textContent]);
  return { texts: [...blocks.values(), ...labels], times, isGerman: document.documentElement.lang === 'de' };
})()`;

/**
 * Impossible texts of the page, one line each: missing values, negative amounts, parts above their whole, raw uuids,
 * API names in prose, and future times of past events.
 */
export async function oddTexts(page: Page): Promise<string[]> {
  const { texts, times, isGerman } = await page.evaluate<Texts>(readTexts(literal));
  const found = new Set<string>();
  for (const text of texts) {
    const short = shortOf(text);
    for (const [name, pattern] of oddities) if (pattern.test(short)) found.add(`${name}: ${short}`);
    if (isTooMuch(isGerman ? inEnglish(short) : short)) found.add(`more than there is: ${short}`);
  }
  for (const [at = '', text = ''] of times)
    if (Date.parse(at) < Date.now() && /^in /.test(text)) found.add(`past and yet to come: ${at} ${text}`);
  return [...found];
}

/**
 * Texts of a page in another language that are in English, but for those that are marked as English, such as
 * descriptions of plugins. A line each.
 * @param names texts that are the same in every language, such as names of strategies.
 */
export async function englishTexts(page: Page, names: readonly string[]): Promise<string[]> {
  const { texts } = await page.evaluate<Texts>(readTexts(`${literal}, [lang=en]`));
  const foreign = texts.filter((text) => english.test(names.reduce((rest, name) => rest.replaceAll(name, ''), text)));
  return [...new Set(foreign.map(shortOf))];
}

interface Texts {
  texts: string[];
  times: string[][];
  isGerman: boolean;
}

function shortOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 160);
}

/** German numbers and `von` as English has them. */
function inEnglish(text: string): string {
  const swapped: Readonly<Record<string, string>> = { ',': '.', '.': ',' };
  return text
    .replaceAll(/\d[\d.,]*\d/g, (number) => number.replaceAll(/[.,]/g, (mark) => swapped[mark] ?? mark))
    .replaceAll(/ von (?=\d)/g, ' of ');
}

/** `9 of 8`, `120 %`. */
function isTooMuch(text: string): boolean {
  const number = (digits: string | undefined) => Number((digits ?? '').replaceAll(',', ''));
  for (const [, part, whole] of text.matchAll(/\b(\d[\d,.]*)(?: \w+)? of (\d[\d,.]*)\b/g))
    if (number(part) > number(whole)) return true;
  return [...text.matchAll(/\b(\d[\d,.]*)\s%/g)].some(([, share]) => number(share) > 100);
}
