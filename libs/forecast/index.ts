export type { TimeUntilFull } from './days-until-full.ts';
export { busyLoad, daysUntilFull, fullText } from './days-until-full.ts';
export type { SeriesForecast } from './forecast-series.ts';
export { forecastSeries } from './forecast-series.ts';
export { expectationText, trendText, verdictText } from './forecast-texts.ts';
export type { HourlySeries } from './hourly-series.ts';
export { hourlySeries, hourMs } from './hourly-series.ts';
export type { Trend } from './trend.ts';
export { trendOfDays } from './trend.ts';
