/** Path of the forecast of a host's CPU load for the next 24 hours, below `/internal`. */
export function hostForecastPath(hostname: string): string {
  return `forecasts/hosts/${encodeURIComponent(hostname)}?hours=24`;
}
