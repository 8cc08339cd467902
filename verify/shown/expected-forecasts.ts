import { roundedText, wholePercent } from '../../services/dashboard/components/number-text.ts';
import { text } from '../../tests/browser/texts.ts';
import type { ApiPlan } from './api-plan.ts';
import type { ShownQuantity } from './cloud-numbers.ts';
import type { Forecast, Shown } from './read-page.ts';

/** Hosts that the page shows at most. */
const most = { strip: 60, forecasts: 8 };
/** Percent. */
const highLoad = 80;
const canStart = new Set(['RECOMMENDED', 'PENDING']);

/** The quantity of the squares of hosts. */
function quantityOf({ indicators, improvements, shares }: ApiPlan): ShownQuantity {
  const isKnown = (quantity: ShownQuantity) => shares.every((host) => host.shares[quantity] !== undefined);
  const isAboutLoad = indicators.some(({ name }) => name === 'standard_deviation_before_audit');
  const named = isAboutLoad ? 'cpu_load' : (improvements[0]?.quantity as ShownQuantity | undefined);
  if (named && isKnown(named)) return named;
  const highest = (quantity: ShownQuantity) => Math.max(0, ...shares.map((host) => host.shares[quantity]?.after ?? 0));
  return highest('vcpus') > highest('memory') ? 'vcpus' : 'memory';
}

/** Hosts with their shares of the quantity of the squares, the highest before the plan first. */
function squaresOf(plan: ApiPlan): { hostname: string; before: number; after: number }[] {
  const quantity = quantityOf(plan);
  return plan.shares
    .flatMap(({ hostname, shares }) => {
      const share = shares[quantity];
      return share ? [{ hostname, ...share }] : [];
    })
    .sort((left, right) => right.before - left.before);
}

/** Squares of hosts before and after the plan. */
export function expectedStrips(plan: ApiPlan): Shown {
  const squares = squaresOf(plan).slice(0, most.strip);
  if (squares.length === 0) return new Map();
  const quantity = text(`quantity.${quantityOf(plan)}`);
  return new Map(
    (['before', 'after'] as const).map((moment) => [
      `strip: ${moment}`,
      squares
        .map((host) => text('strip.host', { host: host.hostname, quantity, share: wholePercent(host[moment]) }))
        .join('; '),
    ]),
  );
}

/** Hosts whose forecast the page must read. */
export function relievedHosts(plan: ApiPlan): string[] {
  if (!canStart.has(plan.state)) return [];
  const relieved = squaresOf(plan).filter(({ before, after }) => after < before);
  return relieved.map(({ hostname }) => hostname);
}

/**
 * The sentence about the load without the plan, and the rows of its table.
 * @param forecasts that the page has read
 * @param isOpen whether the table is unfolded
 */
export function expectedForecasts(plan: ApiPlan, forecasts: readonly Forecast[], isOpen: boolean): Shown {
  const hosts = relievedHosts(plan);
  const read = hosts.slice(0, most.forecasts).map((host) => forecasts.find(({ id }) => id === host));
  const shown: Shown = new Map();
  if (hosts.length === 0) return shown;
  const known = read.flatMap((forecast) => forecast ?? []);
  const count = known.filter(({ hours }) => hours.some(({ expected }) => expected >= highLoad)).length;
  const values = { count, of: read.length, limit: wholePercent(highLoad) };
  shown.set(
    'without',
    count > 0 ? text('withoutPlan.high', values) : text('withoutPlan.none', { limit: values.limit }),
  );
  if (!isOpen) return shown;
  for (const forecast of known) {
    const name = `${text('withoutPlan.title')}: ${forecast.id}`;
    const { last_value: last } = forecast;
    shown.set(`${name}: ${text('withoutPlan.lastHour')}`, last === null ? '–' : wholePercent(last));
    shown.set(`${name}: ${text('withoutPlan.peak')}`, peakText(forecast));
    shown.set(`${name}: ${text('withoutPlan.basis')}`, basisText(forecast));
  }
  const more = hosts.length - read.length;
  if (more > 0) shown.set('without more', text('withoutPlan.more', { count: more }));
  return shown;
}

function peakText({ hours }: Forecast): string {
  const highest = Math.max(...hours.map(({ expected }) => expected));
  const peak = hours.find(({ expected }) => expected === highest);
  if (!peak) return '–';
  const [low, high] = [wholePercent(peak.low), wholePercent(peak.high)];
  const band = low === high ? low : text('forecast.band', { low: roundedText(peak.low), high });
  return text('forecast.bandAt', { band, time: new Date(peak.from).toISOString().slice(11, 16) });
}

function basisText({ hours, season, history_days: days, backtest }: Forecast): string {
  if (hours.length === 0) return text('forecast.unmeasured');
  if (season !== null) return text(`forecast.used.${season}`, { count: days });
  return backtest.verdict === 'short' ? text('forecast.short', { count: days }) : text('forecast.lost');
}
